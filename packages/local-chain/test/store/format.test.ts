import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTables } from "../../src/store/tables.ts";
import { syntheticStore } from "../synthetic-store.ts";

/** Number of records, and SHA-256 of all keys and values. A change of these needs a new format number in tables.ts. */
const FORMAT_1: Readonly<Record<string, string>> = {
  transactions: "60 9ca4e306419956af",
  versions: "68 d51cf161788e7e6e",
  accounts: "20 815490ab5b6fcfd4",
  blocks: "8 ef452ad1893fac30",
  blockData: "10 6a148f7cd8a054e7",
  blocksByLt: "8 ca6ef186b782c560",
  blocksByTime: "8 05a96ef6d82ee125",
  messages: "30 c6d01808c80bd844",
  cells: "1 e7d3ea6a110a2d38",
  producer: "1 2c60d785636d6e44",
};

test("keys and records of format 1 keep their bytes", async () => {
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
  expect(Object.fromEntries(found)).toEqual(FORMAT_1);
});
