import { writeBoc } from "@chain-query/format/cells";
import type { KeepCell } from "./step-records.ts";
import type { Table } from "./tables.ts";

/** How many hashes are remembered before the store is asked again. */
const REMEMBERED = 10_000;

/** Keeps cells that are the same for many under their hash: code and initial states. Each is written once. */
export function cellKeeper(cells: Table): KeepCell {
  const kept = new Set<string>();
  return (cell) => {
    const hash = Buffer.from(cell.hash);
    const id = hash.toString("latin1");
    if (kept.has(id)) return hash;
    if (!cells.doesExist(hash)) cells.putSync(hash, Buffer.from(writeBoc(cell)));
    if (kept.size >= REMEMBERED) kept.clear();
    kept.add(id);
    return hash;
  };
}
