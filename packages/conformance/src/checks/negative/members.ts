/** Invalid requests with a member out of bounds, malformed, or in a wrong combination with others. */
import { operations } from "@chain-query/openapi/operations";
import { inputOf, typicalRequest } from "../../contract/documented-requests.ts";
import { changed, type Refusal } from "./refusal.ts";

const twoTo63 = "9223372036854775808";

const withoutSelector = { seqno: undefined, lt: undefined, unixtime: undefined };

/** By operation: what is wrong, the law, and the changed members. */
const table: Readonly<Record<string, readonly [name: string, law: string, change: Readonly<Record<string, unknown>>][]>> = {
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
    ...["-1", twoTo63].map((lt) => entry("to_lt", lt, "#/components/parameters/to_lt")),
    entry("archival", "bad", "#/components/parameters/archival"),
  ],
  tryLocateResultTx: ["-1", "", twoTo63].map((lt) => entry("created_lt", lt, "#/components/schemas/LogicalTime")),
  tryLocateSourceTx: ["-1", "", twoTo63].map((lt) => entry("created_lt", lt, "#/components/schemas/LogicalTime")),
};

export const memberRefusals: readonly Refusal[] = Object.entries(table).flatMap(([operation, entries]) =>
  entries.map(([name, law, change]) => ({ operation, name, law, request: changed(operation, change) })),
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

export const addressRefusals: readonly Refusal[] = addressInputs.flatMap(({ operation, member }) => {
  const friendly = String(inputOf(typicalRequest("getAddressInformation"))["address"]);
  return Object.entries(wrongAddresses).map(([name, wrong]): Refusal => {
    const request = changed(operation, { [member]: wrong(friendly) });
    const common = { operation, name: `${member}-${name}`, law: "D-34", request };
    if (name !== "of-a-megabyte") return common;
    // The HTTP server or a proxy may refuse the request first: 414, 431 or 400 for the request line, 413 for the body.
    return request.method === "GET"
      ? { ...common, statuses: [422, 400, 413, 414, 431], refusedBeforeApi: true }
      : { ...common, statuses: [422, 413] };
  });
});

function entry(
  member: string,
  value: string | number,
  law: string,
  others: Readonly<Record<string, unknown>> = {},
): [string, string, Readonly<Record<string, unknown>>] {
  const name = value === "" ? "empty" : value === twoTo63 ? "2-to-the-63" : String(value);
  return [`${member}-${name}`, law, { ...others, [member]: value }];
}
