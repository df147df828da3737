import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { tryLock } from "fs-native-extensions";
import { LOCK_FILE } from "./folder.ts";
import { ChainStoreError, reasonOf } from "./store-error.ts";

/**
 * Takes a chain's folder for one writer. The system frees it when the process ends, however it ends.
 *
 * @returns Frees it.
 * @throws ChainStoreError where another writer has it, or where nothing can be written.
 */
export function lockForWriting(directory: string): () => void {
  const file = join(directory, LOCK_FILE);
  const fd = openForWriting(file, directory);
  if (!tryLock(fd)) {
    closeSync(fd);
    throw new ChainStoreError(`${directory} is being written by ${holderOf(file)}; a chain has one writer at a time`);
  }
  try {
    ftruncateSync(fd, 0);
    writeSync(fd, `${process.pid}\n`, 0);
  } catch (cause) {
    closeSync(fd);
    throw new ChainStoreError(`${directory} cannot be written: ${reasonOf(cause)}`, { cause });
  }
  return () => closeSync(fd);
}

function openForWriting(file: string, directory: string): number {
  try {
    return openSync(file, "a+");
  } catch (cause) {
    throw new ChainStoreError(`${directory} cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

/** Only for a person to read: between its lock and its note the other writer may not have said yet who it is. */
function holderOf(file: string): string {
  const pid = readFileSync(file, "utf8").trim();
  return pid === "" ? "another process" : `process ${pid}`;
}
