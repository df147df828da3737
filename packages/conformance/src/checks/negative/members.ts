/** Members that no value of theirs would be right for: out of bounds, of the wrong form, or together with the wrong others. */
import { inputOf, typicalRequest } from "../../contract/documented-requests.ts";
import { changed, type Refusal } from "./refusal.ts";

const tooLate = "9223372036854775808";

const blockless = { seqno: undefined, lt: undefined, unixtime: undefined };

/** By operation: what is wrong, the law, and the members as they are sent. */
const table: Readonly<Record<string, readonly [name: string, law: string, change: Readonly<Record<string, unknown>>][]>> = {
  lookupBlock: [
    ...[0, -1, 1.5, "bad"].map((seqno) => entry("seqno", seqno, "D-11", blockless)),
    ...["-1", tooLate].map((lt) => entry("lt", lt, "D-11", blockless)),
    ...[-1].map((unixtime) => entry("unixtime", unixtime, "D-11", blockless)),
    ["seqno-and-lt", "D-11", { ...blockless, seqno: 1, lt: "1" }],
    ["seqno-and-unixtime", "D-11", { ...blockless, seqno: 1, unixtime: 1 }],
    ["lt-and-unixtime", "D-11", { ...blockless, lt: "1", unixtime: 1 }],
    ["all-selectors", "D-11", { seqno: 1, lt: "1", unixtime: 1 }],
    ["no-selector", "D-11", blockless],
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
    ...["-1", tooLate].map((lt) => entry("lt", lt, "#/components/schemas/LogicalTime")),
    ...["-1", tooLate].map((lt) => entry("to_lt", lt, "#/components/parameters/to_lt")),
    entry("archival", "bad", "#/components/parameters/archival"),
  ],
  tryLocateResultTx: ["-1", "", tooLate].map((lt) => entry("created_lt", lt, "#/components/schemas/LogicalTime")),
  tryLocateSourceTx: ["-1", "", tooLate].map((lt) => entry("created_lt", lt, "#/components/schemas/LogicalTime")),
};

export const memberRefusals: readonly Refusal[] = Object.entries(table).flatMap(([operation, entries]) =>
  entries.map(([name, law, change]) => ({ operation, name, law, request: changed(operation, change) })),
);

const addressMembers: readonly (readonly [operation: string, member: string])[] = [
  ["getAddressInformation", "address"],
  ["getTransactionsStd", "address"],
  ["tryLocateResultTx", "source"],
  ["tryLocateResultTx", "destination"],
  ["tryLocateSourceTx", "source"],
  ["tryLocateSourceTx", "destination"],
];

/** Each is wrong in one way and right in all others. */
const wrongAddresses: Readonly<Record<string, (address: string) => string>> = {
  "wrong-checksum": (address) => address.slice(0, -1) + (address.endsWith("A") ? "B" : "A"),
  "of-31-bytes": () => `0:${"01".repeat(31)}`,
  "odd-characters": () => `0:${"01".repeat(31)}é\u0000`,
  "of-a-megabyte": () => "A".repeat(1_000_000),
};

export const addressRefusals: readonly Refusal[] = addressMembers.flatMap(([operation, member]) => {
  const friendly = String(inputOf(typicalRequest("getAddressInformation"))["address"]);
  return Object.entries(wrongAddresses).map(([name, wrong]): Refusal => {
    const request = changed(operation, { [member]: wrong(friendly) });
    const common = { operation, name: `${member}-${name}`, law: "D-34", request };
    if (name !== "of-a-megabyte") return common;
    // HTTP itself knows a request line (414, 431) and a body (413) that are too large, and so may whatever stands before the API.
    return request.method === "GET"
      ? { ...common, statuses: [422, 413, 414, 431], maybeBeforeTheApi: true }
      : { ...common, statuses: [422, 413] };
  });
});

function entry(
  member: string,
  value: string | number,
  law: string,
  others: Readonly<Record<string, unknown>> = {},
): [string, string, Readonly<Record<string, unknown>>] {
  const name = value === "" ? "empty" : value === tooLate ? "2-to-the-63" : String(value);
  return [`${member}-${name}`, law, { ...others, [member]: value }];
}
