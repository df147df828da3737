import { existsSync, rmSync, writeFileSync } from "node:fs";
import { READERS_ENDING } from "./folder.ts";
import { ChainStoreError, reasonOf } from "./store-error.ts";

/** Bytes of an empty store, with its readers' file, and some more. */
const LEAST_ROOM = 65_536;

/**
 * Makes sure that there is room where a store makes a new file. It maps what it writes into memory, where a full disk ends the
 * process; a write that fails only throws.
 *
 * @param file - The store's.
 * @throws ChainStoreError where the disk is full.
 */
export function checkRoom(file: string): void {
  if (existsSync(file) && existsSync(`${file}${READERS_ENDING}`)) return;
  const trial = `${file}.room`;
  try {
    writeFileSync(trial, new Uint8Array(LEAST_ROOM));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    // Of anything else the store itself can tell: it may be read without being written.
    if (code === "ENOSPC" || code === "EDQUOT") {
      throw new ChainStoreError(`${file} cannot be opened: ${reasonOf(cause)}`, { cause });
    }
  } finally {
    rmSync(trial, { force: true });
  }
}
