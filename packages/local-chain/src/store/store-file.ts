import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { ChainStoreError, reasonOf } from "./store-error.ts";

/** Offsets within a page of the store's library that begins a file: two such pages, the newer one counts. */
const META = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, end: 160 } as const;
const MAGIC = 0xbeefc0de;

/**
 * How much may be missing at the end of a file that is whole: so many pages, and such a part of it. The library counts pages that a
 * transaction takes and gives back before it ends, which it never writes; where they are the last ones, the file ends before them.
 */
const MOST_MISSING = { pages: 64, part: 1 / 4 } as const;

/** How long a reader waits for a writer beside it, which fills the file up after each commit, and how long between two looks. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 5;

/** What a file has, and what it should have by its newest page of that kind, in bytes. */
interface Lengths {
  readonly size: number;
  readonly needed: number;
  readonly pageSize: number;
}

/**
 * Makes sure that a file has all that was ever written to it.
 *
 * @returns Whether it is as long as it says, too; if not, the rest was never written.
 * @throws ChainStoreError where the file is no store's, or cut off.
 */
export function checkStoreFile(file: string): boolean {
  return using(file, constants.O_RDONLY, (fd) => isFull(lengthsOf(fd, file), file));
}

/**
 * Makes a file as long as it says. Only for its writer, who alone knows that nothing is written beyond.
 *
 * @throws ChainStoreError where it cannot be written.
 */
export function fillUp(file: string): void {
  using(file, constants.O_RDWR, (fd) => {
    const { size, needed } = lengthsOf(fd, file);
    if (size < needed) ftruncateSync(fd, needed);
  });
}

/**
 * Waits until a file is as long as it says, which a writer beside us sees to. Whether there is one cannot be asked without standing
 * in the way of one that begins; so the file is filled up here if nobody did it in time.
 *
 * @throws ChainStoreError where the file is no store's, cut off, or stays short and may not be written.
 */
export function waitUntilFull(file: string, patience: number = PATIENCE_MS): void {
  const end = performance.now() + patience;
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!checkStoreFile(file)) {
    if (performance.now() >= end) {
      appendMissing(file);
      return;
    }
    Atomics.wait(never, 0, 0, PAUSE_MS);
  }
}

/** Appends and sets no length: if a writer makes the file longer at this very moment, what it wrote stays. */
function appendMissing(file: string): void {
  const lengths = using(file, constants.O_RDONLY, (fd) => lengthsOf(fd, file));
  if (isFull(lengths, file)) return;
  try {
    using(file, constants.O_WRONLY | constants.O_APPEND, (fd) => writeSync(fd, new Uint8Array(lengths.needed - lengths.size)));
  } catch (cause) {
    throw cutOff(lengths, file, cause);
  }
}

function isFull(lengths: Lengths, file: string): boolean {
  const { size, needed, pageSize } = lengths;
  const missing = needed - size;
  if (missing <= 0) return true;
  const isSmall = missing <= Math.min(MOST_MISSING.pages * pageSize, MOST_MISSING.part * needed);
  // The library writes whole pages: where a part of one is left, somebody else has cut it.
  if (isSmall && size % pageSize === 0) return false;
  throw cutOff(lengths, file);
}

function cutOff({ size, needed }: Lengths, file: string, cause?: unknown): ChainStoreError {
  return new ChainStoreError(`${file} is cut off: it has ${size} bytes and should have ${needed}`, { cause });
}

function lengthsOf(fd: number, file: string): Lengths {
  const newest = newestMetaPage(fd);
  if (!newest) throw new ChainStoreError(`${file} is no chain's file: it does not begin as one`);
  const pageSize = newest.readUInt32LE(META.pageSize);
  const needed = (Number(newest.readBigUInt64LE(META.lastPage)) + 1) * pageSize;
  // Asked after the page was read: meanwhile a file only grows.
  return { size: fstatSync(fd).size, needed, pageSize };
}

function newestMetaPage(fd: number): Buffer | undefined {
  const first = metaPageAt(fd, 0);
  const second = first && metaPageAt(fd, first.readUInt32LE(META.pageSize));
  if (!second) return undefined;
  return first.readBigUInt64LE(META.transaction) > second.readBigUInt64LE(META.transaction) ? first : second;
}

function metaPageAt(fd: number, position: number): Buffer | undefined {
  const bytes = Buffer.alloc(META.end);
  const isWhole = readSync(fd, bytes, 0, META.end, position) === META.end;
  return isWhole && bytes.readUInt32LE(META.magic) === MAGIC ? bytes : undefined;
}

function using<T>(file: string, flags: number, use: (fd: number) => T): T {
  let fd: number | undefined;
  try {
    fd = openSync(file, flags);
    return use(fd);
  } catch (cause) {
    if (cause instanceof ChainStoreError) throw cause;
    const verb = flags === constants.O_RDONLY ? "read" : "written";
    throw new ChainStoreError(`${file} cannot be ${verb}: ${reasonOf(cause)}`, { cause });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
