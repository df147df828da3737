/** Checks that a service rejects invalid requests. */

import { operations } from "@chain-query/openapi/operations";
import { inputOf, requestOf, typicalRequest } from "../contract/documented-requests.ts";
import { has } from "../json.ts";
import { type Exchange, type Request, responseOf } from "../service/exchange.ts";
import type { Check } from "./check.ts";

/** One invalid request. */
interface InvalidRequest {
  readonly operation: string;
  /** The name of the error, such as `limit-0`. */
  readonly name: string;
  /** The place in the contract, or the decision, that makes it invalid. */
  readonly rule: string;
  readonly request: Request;
  /** 422 by default. */
  readonly statuses?: readonly number[];
  /** Whether a proxy or the HTTP server may reject it, without the envelope of the API. */
  readonly rejectedBeforeApi?: boolean;
}

/** A typical request of an operation with some members changed; undefined removes a member. */
function changed(operation: string, change: Readonly<Record<string, unknown>>): Request {
  const input = { ...inputOf(typicalRequest(operation)), ...change };
  return requestOf(operation, Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
}

/** The check that an invalid request is rejected with a failure. */
function rejectionCheck({
  operation,
  name,
  rule,
  request,
  statuses = [422],
  rejectedBeforeApi = false,
}: InvalidRequest): Check {
  return {
    id: `negative/${operation}/${name}`,
    description: `rejects ${name} with ${statuses.join(" or ")} and a failure`,
    rule,
    operations: [operation],
    run: async ({ send, expect }) => {
      const exchange = await send(request);
      const response = responseOf(exchange);
      const isFailure = has(response?.body, "ok") && response.body["ok"] === false;
      const isRejected = response !== undefined && statuses.includes(response.status) && (isFailure || rejectedBeforeApi);
      const isRight = isRejected || (rejectedBeforeApi && wasCut(exchange));
      expect(isRight, exchange, `${statuses.join(" or ")} and a failure`);
    },
  };
}

/** A server may also close the connection before it has read a very long request line; the sender then gets no response. */
function wasCut({ outcome }: Exchange): boolean {
  return typeof outcome === "string" && /ECONNRESET|EPIPE|socket hang up|aborted/.test(outcome);
}

const posts = operations.filter(({ method }) => method === "POST");

const invalidBodies: readonly InvalidRequest[] = [
  ...operations.flatMap(({ id, inputs }) =>
    inputs
      .filter(({ required }) => required)
      .map(({ name }) => ({
        operation: id,
        name: `without-${name}`,
        rule: placeOf(id),
        request: changed(id, { [name]: undefined }),
      })),
  ),
  ...posts.filter(({ inputs }) => inputs.length > 0).map(({ id }) => raw(id, "empty-object", "{}")),
  ...posts.flatMap(({ id: operation }): InvalidRequest[] => [
    raw(operation, "empty-body", ""),
    raw(operation, "broken-json", '{"address": '),
    raw(operation, "array", "[]"),
    raw(operation, "null", "null"),
    { ...raw(operation, "unknown-member", ""), rule: "D-27", request: changed(operation, { no_such_member: 1 }) },
    {
      ...raw(operation, "wrong-content-type", ""),
      // HTTP defines 415 for an unsupported content type (RFC 9110 §15.5.16).
      statuses: [422, 415],
      request: {
        ...raw(operation, "", JSON.stringify(inputOf(typicalRequest(operation)))).request,
        headers: { "content-type": "text/plain" },
      },
    },
    {
      ...raw(operation, "two-megabytes", ""),
      // HTTP defines 413 for a body that is too large (RFC 9110 §15.5.14).
      statuses: [422, 413],
      request: changed(operation, { no_such_member: "x".repeat(2_000_000) }),
    },
  ]),
];

function raw(operation: string, name: string, text: string): InvalidRequest {
  const { method, path } = typicalRequest(operation);
  return { operation, name, rule: placeOf(operation), request: { operation, method, path, text } };
}

function placeOf(operation: string): string {
  const { method, path } = typicalRequest(operation);
  const input = method === "GET" ? "parameters" : "requestBody";
  return `#/paths/${path.replaceAll("/", "~1")}/${method.toLowerCase()}/${input}`;
}

const twoTo63 = "9223372036854775808";

const withoutSelector = { seqno: undefined, lt: undefined, unixtime: undefined };

/** By operation: the name of the error, the rule, and the changed members. */
const table: Readonly<Record<string, readonly [name: string, rule: string, change: Readonly<Record<string, unknown>>][]>> = {
  lookupBlock: [
    ...[0, -1, 1.5, "bad"].map((seqno) => entry("seqno", seqno, "D-11", withoutSelector)),
    ...["-1", twoTo63].map((lt) => entry("lt", lt, "D-11", withoutSelector)),
    entry("unixtime", -1, "D-11", withoutSelector),
    ["seqno-and-lt", "D-11", { ...withoutSelector, seqno: 1, lt: "1" }],
    ["seqno-and-unixtime", "D-11", { ...withoutSelector, seqno: 1, unixtime: 1 }],
    ["lt-and-unixtime", "D-11", { ...withoutSelector, lt: "1", unixtime: 1 }],
    ["all-selectors", "D-11", { seqno: 1, lt: "1", unixtime: 1 }],
    ["no-selector", "D-11", withoutSelector],
    ["shard-bad", "#/components/schemas/ShardIdInput", { shard: "bad" }],
    ["workchain-bad", "#/components/schemas/WorkchainInput", { workchain: "bad" }],
  ],
  getAddressInformation: ["0", "-1", "1.5", "bad"].map((seqno) => entry("seqno", seqno, "D-16")),
  getTransactionsStd: [
    ...[0, -1, 1001, "bad"].map((limit) => entry("limit", limit, "D-15")),
    ["lt-without-hash", "D-14", { hash: undefined }],
    ["hash-without-lt", "D-14", { lt: undefined }],
    ["hash-of-31-bytes", "D-37", { hash: Buffer.alloc(31, 1).toString("base64") }],
    ["hash-of-31-bytes-in-hexadecimal", "D-37", { hash: "01".repeat(31) }],
    ...["-1", twoTo63].map((lt) => entry("lt", lt, "#/components/schemas/LogicalTime")),
    ...["-1", twoTo63].map((lt) => entry("to_lt", lt, "D-46")),
    entry("archival", "bad", "D-26"),
  ],
  tryLocateResultTx: ["-1", "", twoTo63].map((lt) => entry("created_lt", lt, "#/components/schemas/LogicalTime")),
  tryLocateSourceTx: ["-1", "", twoTo63].map((lt) => entry("created_lt", lt, "#/components/schemas/LogicalTime")),
};

const invalidMembers: readonly InvalidRequest[] = Object.entries(table).flatMap(([operation, entries]) =>
  entries.map(([name, rule, change]) => ({ operation, name, rule, request: changed(operation, change) })),
);

const addressInputs = operations.flatMap(({ id, inputs }) =>
  inputs.filter(({ kind }) => kind.startsWith("address")).map(({ name }) => ({ operation: id, member: name })),
);

const wrongAddresses: Readonly<Record<string, (address: string) => string>> = {
  "wrong-checksum": (address) => address.slice(0, -1) + (address.endsWith("A") ? "B" : "A"),
  "of-31-bytes": () => `0:${"01".repeat(31)}`,
  "odd-characters": () => `0:${"01".repeat(31)}é\u0000`,
  "of-a-megabyte": () => "A".repeat(1_000_000),
};

const invalidAddresses: readonly InvalidRequest[] = addressInputs.flatMap(({ operation, member }) => {
  const friendly = String(inputOf(typicalRequest("getAddressInformation"))["address"]);
  return Object.entries(wrongAddresses).map(([name, wrong]): InvalidRequest => {
    const request = changed(operation, { [member]: wrong(friendly) });
    const common = { operation, name: `${member}-${name}`, rule: "D-34", request };
    if (name !== "of-a-megabyte") return common;
    // The HTTP server or a proxy may reject the request first: 414, 431 or 400 for the request line, 413 for the body.
    return request.method === "GET"
      ? { ...common, statuses: [422, 400, 413, 414, 431], rejectedBeforeApi: true }
      : { ...common, statuses: [422, 413] };
  });
});

function entry(
  member: string,
  value: string | number,
  rule: string,
  others: Readonly<Record<string, unknown>> = {},
): [string, string, Readonly<Record<string, unknown>>] {
  const name = value === "" ? "empty" : value === twoTo63 ? "2-to-the-63" : String(value);
  return [`${member}-${name}`, rule, { ...others, [member]: value }];
}

export const rejectionChecks: readonly Check[] = [...invalidBodies, ...invalidMembers, ...invalidAddresses].map(rejectionCheck);
