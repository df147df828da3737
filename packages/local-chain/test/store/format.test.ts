import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decodeJson, encodeJson } from "../../src/store/producer-state.ts";
import { openTables } from "../../src/store/tables.ts";
import { syntheticStore } from "../test-folders.ts";

/** Number of records, and SHA-256 of all keys and values. A change of these needs a new format number in tables.ts. */
const FORMAT_3: Readonly<Record<string, string>> = {
  transactions: "60 5d539da86b122061",
  versions: "68 e73641feb4f1f850",
  accounts: "20 815490ab5b6fcfd4",
  blocks: "8 0df6b186a8dfcab2",
  blockData: "10 f833e37745667411",
  states: "8 a8a1157d6c047d2c",
  blocksByLt: "8 83a25d90b0161cbe",
  blocksByTime: "8 ba21b38b2f526ac5",
  messages: "30 191a4de32b3ded13",
  cells: "1 b0af7fc828ed2d48",
  producer: "1 2c60d785636d6e44",
};

test("keys and records of format 3 keep their bytes", async () => {
  const { directory } = await syntheticStore(4);
  const { root, ...tables } = openTables(join(directory, "chain.mdb"), "read");
  // The table "meta" has the options of the chain as JSON.
  const records = Object.entries(tables).filter(([name]) => name !== "meta");
  const found = records.map(([name, table]) => {
    const digest = createHash("sha256");
    let count = 0;
    for (const { key, value } of table.getRange()) {
      digest.update(key).update(value);
      count += 1;
    }
    return [name, `${count} ${digest.digest("hex").slice(0, 16)}`];
  });
  await root.close();
  expect(Object.fromEntries(found)).toEqual(FORMAT_3);
});

describe("encodeJson", () => {
  test("round-trips bigints, bytes, text and undefined", () => {
    const value = {
      lt: 2n ** 63n,
      negative: -5n,
      bytes: new Uint8Array([0, 255, 7]),
      seqno: 4,
      list: [1n, { text: "n" }],
      n: "12",
      missing: undefined,
    };
    const read = decodeJson<typeof value>(encodeJson({ ...value, bytes: Buffer.from(value.bytes) }));
    expect(read).toEqual(value);
    expect(read.bytes).toBeInstanceOf(Uint8Array);
  });
});
