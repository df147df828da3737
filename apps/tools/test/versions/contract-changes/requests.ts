/** Changes of requests. */
import { type ContractChange, drop, limit, path, pull, push, put, question, schema, text } from "./edits.ts";

const listing = path("getTransactionsStd", "get", "parameters");
const parameter = (required: boolean) => ({
  name: "order",
  in: "query",
  required,
  description: "Something new.",
  schema: text,
});
const toAccount = ["request of getAddressInformation"];
const prose = "types say nothing of bounds, patterns and formats";
const withoutDefaults = "types do not contain the defaults of a service";

export const ofRequests: readonly ContractChange[] = [
  { kind: "an optional parameter is added", edits: [push(listing, parameter(false))], contract: "minor", types: [] },
  {
    kind: "a required parameter is added",
    edits: [push(listing, parameter(true))],
    contract: "major",
    types: ["request of getTransactionsStd"],
  },
  {
    kind: "a parameter becomes required",
    edits: [put(limit("required"), true)],
    contract: "major",
    types: ["request of getTransactionsStd"],
  },
  { kind: "a parameter is removed", edits: [pull(listing, 1)], contract: "major", types: ["request of getTransactionsStd"] },
  {
    kind: "an optional member of a body is added",
    edits: [put(question("properties", "more"), text)],
    contract: "minor",
    types: [],
  },
  {
    kind: "a required member of a body is added",
    edits: [put(question("properties", "more"), text), push(question("required"), "more")],
    contract: "major",
    types: toAccount,
  },
  {
    kind: "a member of a body is removed",
    edits: [drop(question("properties", "seqno"))],
    contract: "major",
    types: toAccount,
  },
  {
    kind: "a body becomes required",
    edits: [put(path("getConsensusBlock", "post", "requestBody", "required"), true)],
    contract: "major",
    types: ["request of getConsensusBlock"],
  },
  {
    kind: "a body is no longer required",
    edits: [put(path("lookupBlock", "post", "requestBody", "required"), false)],
    contract: "minor",
    types: [],
  },
  {
    kind: "the type of an input is narrowed",
    edits: [put(schema("WorkchainInput", "oneOf"), [{ type: "integer" }])],
    contract: "major",
    types: ["request of lookupBlock"],
  },
  {
    kind: "the type of an input is widened",
    edits: [put(limit("schema", "type"), ["integer", "string"])],
    contract: "minor",
    types: [],
  },
  {
    kind: "an enumeration in a request gains a value",
    edits: [push(question("properties", "finality", "enum"), "agreed")],
    contract: "minor",
    types: [],
  },
  {
    kind: "an enumeration in a request loses a value",
    edits: [pull(question("properties", "finality", "enum"), "pending")],
    contract: "major",
    types: toAccount,
  },
  {
    kind: "an alternative of a request is removed",
    edits: [pull(schema("LookupBlockRequest", "oneOf"), 2)],
    contract: "major",
    types: ["request of lookupBlock"],
  },
  {
    kind: "a bound of an input is lowered",
    edits: [put(limit("schema", "maximum"), 100)],
    contract: "major",
    types: [],
    disagreement: prose,
  },
  { kind: "a bound of an input is raised", edits: [put(limit("schema", "maximum"), 5000)], contract: "minor", types: [] },
  {
    kind: "a pattern of an input is narrowed",
    edits: [put(schema("HashInput", "pattern"), "^[0-9a-f]{64}$")],
    contract: "major",
    types: [],
    disagreement: prose,
  },
  {
    kind: "a default is changed",
    edits: [put(limit("schema", "default"), 20)],
    contract: "major",
    types: [],
    disagreement: withoutDefaults,
  },
  {
    kind: "a default is removed",
    edits: [drop(limit("schema", "default"))],
    contract: "major",
    types: [],
    disagreement: withoutDefaults,
  },
  {
    kind: "a key becomes required",
    edits: [pull(["security"], 1)],
    contract: "major",
    types: [],
    disagreement: "types do not contain who may send requests",
  },
  {
    kind: "keys are no longer taken",
    edits: [pull(["security"], 0)],
    contract: "major",
    types: [],
    disagreement: "types do not contain who may send requests",
  },
];
