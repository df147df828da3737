import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { ChainStoreError, reasonOf } from "./store-error.ts";

/** The files of a chain's folder. */
export const CHAIN_FILE = "chain.mdb";
/** Where a chain is written until it is whole; then it takes its name. */
export const UNFINISHED_FILE = "chain.new.mdb";
export const LOCK_FILE = "writer.lock";

/** The store keeps its readers beside its file, under this ending. */
export const READERS_ENDING = "-lock";

const LEFT_BY_AN_UNFINISHED_INIT: ReadonlySet<string> = new Set([
  LOCK_FILE,
  UNFINISHED_FILE,
  `${UNFINISHED_FILE}${READERS_ENDING}`,
]);

/**
 * Finds the file of the chain that a folder holds, and looks at it without opening it as a store: memory-mapping a file that is
 * shorter than it says would end the process.
 *
 * @throws ChainStoreError where there is none, or where it is something else or cut off.
 */
export function chainFileOf(directory: string): string {
  const kind = statSync(directory, { throwIfNoEntry: false });
  if (!kind)
    throw new ChainStoreError(`${directory} does not exist; "chain-query-local-chain init ${directory}" makes a chain there`);
  if (!kind.isDirectory()) throw new ChainStoreError(`${directory} is no folder; a chain lives in a folder`);
  const file = join(directory, CHAIN_FILE);
  if (!existsSync(file)) throw new ChainStoreError(`${directory} holds no chain (there is no ${CHAIN_FILE} in it)`);
  checkStoreFile(file);
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

/** Offsets within a page of the store's library that begins a file: two such pages, the newer one counts. */
const META = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, end: 160 } as const;
const MAGIC = 0xbeefc0de;

function checkStoreFile(file: string): void {
  const { pages, size } = readMetaPages(file);
  if (!pages.every((page) => page.length >= META.end && page.readUInt32LE(META.magic) === MAGIC)) {
    throw new ChainStoreError(`${file} is no chain's file: it does not begin as one`);
  }
  const newest = pages.reduce((a, b) => (a.readBigUInt64LE(META.transaction) > b.readBigUInt64LE(META.transaction) ? a : b));
  const needed = (newest.readBigUInt64LE(META.lastPage) + 1n) * BigInt(newest.readUInt32LE(META.pageSize));
  if (BigInt(size) < needed) {
    throw new ChainStoreError(`${file} is cut off: it has ${size} bytes and should have ${needed}`);
  }
}

function readMetaPages(file: string): { pages: readonly Buffer[]; size: number } {
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    const first = bytesAt(fd, 0);
    const pageSize = first.length >= META.end ? first.readUInt32LE(META.pageSize) : 0;
    return { pages: [first, bytesAt(fd, pageSize)], size: statSync(file).size };
  } catch (cause) {
    throw new ChainStoreError(`${file} cannot be read: ${reasonOf(cause)}`, { cause });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function bytesAt(fd: number, position: number): Buffer {
  const bytes = Buffer.alloc(META.end);
  return bytes.subarray(0, readSync(fd, bytes, 0, META.end, position));
}
