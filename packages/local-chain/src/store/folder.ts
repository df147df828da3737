import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkLmdbFile, LMDB_LOCK_SUFFIX, waitForLmdbFile } from "./lmdb-file.ts";
import { ChainStoreError, reasonOf } from "./store-error.ts";

/** The files of a chain's folder. */
export const CHAIN_FILE = "chain.mdb";
/** Where a chain is written until it is whole; then it takes its name. */
export const UNFINISHED_FILE = "chain.new.mdb";
export const LOCK_FILE = "writer.lock";

const LEFT_BY_AN_UNFINISHED_INIT: ReadonlySet<string> = new Set([
  LOCK_FILE,
  UNFINISHED_FILE,
  `${UNFINISHED_FILE}${LMDB_LOCK_SUFFIX}`,
]);

/**
 * Finds the file of the chain that a folder holds, for a reader, and looks at it without opening it as a store: memory-mapping a file
 * that is shorter than it says would end the process.
 *
 * @throws ChainStoreError where there is none, or where it is something else or cut off.
 */
export function chainFileOf(directory: string): string {
  const file = findChainFile(directory);
  waitForLmdbFile(file);
  return file;
}

/**
 * The same for the one that is going to write, who fills the file up once the folder is its own.
 *
 * @throws ChainStoreError where there is none, or where it is something else or cut off.
 */
export function chainFileToWrite(directory: string): string {
  const file = findChainFile(directory);
  checkLmdbFile(file);
  return file;
}

function findChainFile(directory: string): string {
  const kind = statSync(directory, { throwIfNoEntry: false });
  if (!kind)
    throw new ChainStoreError(`${directory} does not exist; "chain-query-local-chain init ${directory}" makes a chain there`);
  if (!kind.isDirectory()) throw new ChainStoreError(`${directory} is no folder; a chain lives in a folder`);
  const file = join(directory, CHAIN_FILE);
  if (!existsSync(file)) throw new ChainStoreError(`${directory} holds no chain (there is no ${CHAIN_FILE} in it)`);
  return file;
}

/** Makes sure that a chain can begin in a folder: it must be empty, or not exist yet. */
export function checkFolderIsFree(directory: string): void {
  const kind = statSync(directory, { throwIfNoEntry: false });
  if (!kind) return;
  if (!kind.isDirectory()) throw new ChainStoreError(`${directory} is no folder; a chain lives in a folder`);
  const names = entriesOf(directory);
  if (names.includes(CHAIN_FILE))
    throw new ChainStoreError(`${directory} already holds a chain; a new one needs an empty folder`);
  const foreign = names.find((name) => !LEFT_BY_AN_UNFINISHED_INIT.has(name));
  if (foreign !== undefined) {
    throw new ChainStoreError(`${directory} already holds something else (${foreign}); a new chain needs an empty folder`);
  }
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (cause) {
    throw new ChainStoreError(`${directory} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}
