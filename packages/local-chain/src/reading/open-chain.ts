import type { ChainReader } from "../domain.ts";
import { chainFileOf } from "../store/folder.ts";
import { openTables } from "../store/tables.ts";
import { chainReader } from "./chain-reader.ts";

/**
 * Opens a chain for reading, in as many processes as wanted, beside at most one that writes.
 *
 * @param directory - A folder that `createChain` or `chain-query-local-chain init` made.
 * @returns The reader; `close` it when done.
 * @throws ChainStoreError where the folder holds no chain, another version's, or a damaged one.
 *
 * @example
 * const chain = openChain("my-chain");
 * console.log(chain.head().block.id.seqno);
 * await chain.close();
 */
export function openChain(directory: string): ChainReader {
  const tables = openTables(chainFileOf(directory), "read");
  return chainReader(tables, () => tables.root.close());
}
