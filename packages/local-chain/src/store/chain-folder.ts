import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ChainStoreError } from "@chain-query/format/store";
import { tryLock } from "fs-native-extensions";
import { checkLmdbFile, DISK_PROBE_SUFFIX, LMDB_LOCK_SUFFIX, waitForLmdbFile } from "./lmdb-file.ts";
import { reasonOf } from "./store-error.ts";

/** The LMDB data file of a chain. */
export const CHAIN_FILE = "chain.mdb";
/** A new chain is written to this file, which is renamed when it is complete. */
export const UNFINISHED_FILE = "chain.new.mdb";
export const LOCK_FILE = "writer.lock";

const LEFT_BY_AN_UNFINISHED_INIT: ReadonlySet<string> = new Set([
  LOCK_FILE,
  UNFINISHED_FILE,
  `${UNFINISHED_FILE}${LMDB_LOCK_SUFFIX}`,
  `${UNFINISHED_FILE}${DISK_PROBE_SUFFIX}`,
]);

/**
 * Finds the LMDB file of a chain for a reader, and checks it before LMDB maps it into memory.
 *
 * @throws ChainStoreError if the folder holds no chain, or the file is of another kind or truncated.
 */
export function chainFileToRead(directory: string): string {
  const file = findChainFile(directory);
  waitForLmdbFile(file);
  return file;
}

/** The same for the writer, which pads the file after it has locked the folder. */
export function chainFileToWrite(directory: string): string {
  const file = findChainFile(directory);
  checkLmdbFile(file);
  return file;
}

function findChainFile(directory: string): string {
  if (!folderExists(directory)) {
    throw new ChainStoreError(`${directory} does not exist; "chain-query-local-chain init ${directory}" makes a chain there`);
  }
  const file = join(directory, CHAIN_FILE);
  if (!existsSync(file)) throw new ChainStoreError(`${directory} holds no chain: it has no file ${CHAIN_FILE}`);
  return file;
}

/**
 * Checks that a folder is empty or does not exist yet, apart from files of an interrupted `init`.
 *
 * @throws ChainStoreError if it is not.
 */
export function checkFolderIsFree(directory: string): void {
  if (!folderExists(directory)) return;
  const names = entriesOf(directory);
  if (names.includes(CHAIN_FILE))
    throw new ChainStoreError(`${directory} already holds a chain; a new one needs an empty folder`);
  const other = names.find((name) => !LEFT_BY_AN_UNFINISHED_INIT.has(name));
  if (other !== undefined) {
    throw new ChainStoreError(`${directory} already holds something else (${other}); a new chain needs an empty folder`);
  }
}

function folderExists(directory: string): boolean {
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) throw new ChainStoreError(`${directory} is not a folder; a chain needs a folder`);
  return stats !== undefined;
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (cause) {
    throw new ChainStoreError(`${directory} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * Locks a chain's folder for one writer. The lock is an OS file lock, so it ends with the process.
 *
 * @returns Releases the lock.
 * @throws ChainStoreError if another writer holds it, or the folder cannot be written.
 */
export function lockForWriting(directory: string): () => void {
  const file = join(directory, LOCK_FILE);
  const fd = openLockFile(file, directory);
  if (!tryLock(fd)) {
    closeSync(fd);
    throw new ChainStoreError(`${directory} is being written by ${holderOf(file)}; a chain has one writer at a time`);
  }
  try {
    ftruncateSync(fd, 0);
    writeSync(fd, `${process.pid}\n`, 0);
  } catch (cause) {
    closeSync(fd);
    throw notWritable(directory, cause);
  }
  return () => closeSync(fd);
}

function openLockFile(file: string, directory: string): number {
  try {
    return openSync(file, "a+");
  } catch (cause) {
    throw notWritable(directory, cause);
  }
}

/** The other writer may have locked the file and not yet written its pid. */
function holderOf(file: string): string {
  const pid = readFileSync(file, "utf8").trim();
  return pid === "" ? "another process" : `process ${pid}`;
}

export function notWritable(directory: string, cause: unknown): ChainStoreError {
  if (cause instanceof ChainStoreError) return cause;
  return new ChainStoreError(`${directory} cannot be written: ${reasonOf(cause)}`, { cause });
}
