/** Changes of responses. */
import { operations } from "@chain-query/openapi/operations";
import { account, type ContractChange, copy, drop, json, path, pull, push, put, rename, schema, text } from "./edits.ts";

const ofAccount = ["response of getAddressInformation"];
const ofBlocks = ["response of lookupBlock"];
const everyResponse = operations.map(({ id }) => `response of ${id}`);
const prose = "types say nothing of bounds, patterns and formats";

export const ofResponses: readonly ContractChange[] = [
  {
    kind: "a field of a response is removed",
    edits: [drop(account("properties", "balance")), pull(account("required"), "balance")],
    contract: "major",
    types: ofAccount,
  },
  {
    kind: "an optional field of a response is removed",
    edits: [drop(account("properties", "suspended"))],
    contract: "major",
    types: [],
    disagreement: "the field was optional, so programs compile, and lose its value",
  },
  {
    kind: "a field of a response may be absent",
    edits: [pull(account("required"), "balance")],
    contract: "major",
    types: ofAccount,
  },
  {
    kind: "a field of a response is always there",
    edits: [push(account("required"), "suspended")],
    contract: "minor",
    types: [],
  },
  {
    kind: "an optional field is added to a response",
    edits: [put(account("properties", "rent"), text)],
    contract: "minor",
    types: [],
  },
  {
    kind: "a required field is added to a response",
    edits: [put(account("properties", "rent"), text), push(account("required"), "rent")],
    contract: "minor",
    types: [],
  },
  {
    kind: "a field of a response changes its type",
    edits: [put(schema("chain.blockIdExt", "properties", "shard"), { ...text, type: "integer" })],
    contract: "major",
    types: [
      "response of getAddressInformation",
      "response of getMasterchainInfo",
      "response of getOutMsgQueueSize",
      "response of lookupBlock",
    ],
  },
  {
    kind: "a field of a response may be null",
    edits: [
      put(account("properties", "state"), { type: ["string", "null"], enum: ["uninitialized", "active", "frozen", null] }),
    ],
    contract: "major",
    types: ofAccount,
  },
  {
    kind: "a field of a response is no longer null",
    edits: [put(schema("FrozenHash", "type"), "string")],
    contract: "minor",
    types: [],
  },
  {
    kind: "an enumeration in a response gains a value",
    edits: [push(schema("AccountState", "enum"), "asleep")],
    contract: "major",
    types: ofAccount,
  },
  {
    kind: "an enumeration in a response loses a value",
    edits: [pull(schema("AccountState", "enum"), "frozen")],
    contract: "minor",
    types: [],
  },
  {
    kind: "an enumeration in a response is opened",
    edits: [drop(schema("AccountState", "enum"))],
    contract: "major",
    types: ofAccount,
  },
  {
    kind: "an alternative is added to a response",
    edits: [
      put(schema("msg.dataNew"), {
        type: "object",
        required: ["@type"],
        properties: { "@type": { type: "string", const: "msg.dataNew" } },
      }),
      push(schema("MessageContent", "oneOf"), { $ref: "#/components/schemas/msg.dataNew" }),
    ],
    contract: "major",
    types: ["response of getTransactionsStd", "response of tryLocateResultTx", "response of tryLocateSourceTx"],
  },
  {
    kind: "a bound of a response is raised",
    edits: [put(schema("UnixTime", "maximum"), 2 ** 40)],
    contract: "major",
    types: [],
    disagreement: prose,
  },
  {
    kind: "a bound of a response is lowered",
    edits: [put(schema("UnixTime", "maximum"), 2 ** 31)],
    contract: "minor",
    types: [],
  },
  {
    kind: "a format of a response is changed",
    edits: [put(schema("Workchain", "format"), "int64")],
    contract: "major",
    types: [],
    disagreement: prose,
  },
  {
    kind: "a status is removed",
    edits: [drop(path("lookupBlock", "post", "responses", "404"))],
    contract: "major",
    types: [],
    disagreement: "code for that status still compiles, and is never reached",
  },
  {
    kind: "a failure gets a status of its own",
    edits: [copy(path("lookupBlock", "post", "responses", "default"), path("lookupBlock", "post", "responses", "409"))],
    contract: "minor",
    types: [],
  },
  {
    kind: "a status with another body is added",
    edits: [
      put(path("lookupBlock", "post", "responses", "202"), {
        description: "Later.",
        content: { "application/json": { schema: { type: "object", required: ["ticket"], properties: { ticket: text } } } },
      }),
    ],
    contract: "minor",
    types: ofBlocks,
    disagreement: "to the differ a status is new; the types know that `default` promised a failure for every status not listed",
  },
  {
    kind: "a response changes its media type",
    edits: [rename(path("lookupBlock", "post", "responses", "200", ...json), "application/cbor")],
    contract: "major",
    types: ofBlocks,
  },
  {
    kind: "a response gets another media type",
    edits: [
      copy(
        path("lookupBlock", "post", "responses", "200", ...json),
        path("lookupBlock", "post", "responses", "200", "content", "application/cbor"),
      ),
    ],
    contract: "minor",
    types: [],
  },
  {
    kind: "a request gets another media type",
    edits: [
      copy(
        path("lookupBlock", "post", "requestBody", ...json),
        path("lookupBlock", "post", "requestBody", "content", "application/cbor"),
      ),
    ],
    contract: "minor",
    types: [],
  },
  {
    kind: "a header of a response is removed",
    edits: [drop(["components", "responses", "TooManyRequests", "headers", "Retry-After"])],
    contract: "major",
    types: everyResponse,
  },
];
