import { readBoc } from "@chain-query/format/cells";
import type { Tables } from "../store/tables.ts";
import { mustEqual, naming } from "./fault.ts";

/** Re-hashes the code and the initial states that lie under their hashes. */
export function checkCells(tables: Tables): void {
  for (const { key, value } of tables.cells.getRange()) {
    const name = `cell ${Buffer.from(key).toString("hex")}`;
    mustEqual(naming(name, () => readBoc(value)).hash, new Uint8Array(key), () => `hash of the ${name}`);
  }
}
