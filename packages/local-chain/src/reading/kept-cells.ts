import { ChainStoreError } from "../store/store-error.ts";
import { plainBytes, type Table } from "../store/tables.ts";

/** Finds the bags of cells that records name by hash. */
export function keptCells(cells: Table): (hash: Uint8Array) => Uint8Array {
  return (hash) => {
    const boc = plainBytes(cells.get(hash));
    if (!boc) throw new ChainStoreError(`the chain is damaged: the cell ${Buffer.from(hash).toString("hex")} is missing`);
    return boc;
  };
}
