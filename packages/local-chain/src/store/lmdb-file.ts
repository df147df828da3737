/**
 * Checks of an LMDB data file that run before LMDB opens it. LMDB maps the file into memory and trusts its header: a truncated file,
 * or a full disk under a new one, ends the process with SIGBUS instead of an error.
 */

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { ChainStoreError } from "@chain-query/format/store";
import { reasonOf } from "./store-error.ts";

/** LMDB's reader table is a file beside the data file, with this suffix. */
export const LMDB_LOCK_SUFFIX = "-lock";
/** A file with this suffix, written and removed, shows whether the disk has space. */
export const DISK_PROBE_SUFFIX = ".probe";

/** Offsets in an LMDB meta page. A file begins with two of them; the one with the higher transaction id is current. */
const META = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, end: 160 } as const;
const MAGIC = 0xbeefc0de;

/**
 * How much of the end of an intact file may be missing, in pages and as a share of the file. LMDB counts pages that a transaction
 * allocates and frees again, but never writes them; if they are the last ones, the file ends before them.
 */
const MAX_MISSING = { pages: 64, share: 1 / 4 } as const;

const WAIT_MS = 2_000;
const POLL_MS = 5;

/** Bytes of an empty LMDB environment with its reader table, rounded up. */
const MIN_DISK_SPACE = 65_536;

interface FileLength {
  readonly actual: number;
  /** Length that the current meta page states. */
  readonly expected: number;
  readonly pageSize: number;
}

/**
 * Checks that a file is an LMDB data file with every page that was ever written.
 *
 * @returns Whether the file has the length that its meta page states; if not, only pages are missing that LMDB never wrote.
 * @throws ChainStoreError if the file is not an LMDB data file, or is truncated.
 */
export function checkLmdbFile(file: string): boolean {
  return withFile(file, constants.O_RDONLY, (fd) => isComplete(lengthOf(fd, file), file));
}

/**
 * Extends a file to the length that its meta page states. For the writer only: another process could be writing beyond the end.
 *
 * @throws ChainStoreError if the file cannot be written.
 */
export function padLmdbFile(file: string): void {
  withFile(file, constants.O_RDWR, (fd) => {
    const { actual, expected } = lengthOf(fd, file);
    if (actual < expected) ftruncateSync(fd, expected);
  });
}

/**
 * Waits until a file has the length that its meta page states: a running writer pads it after each commit. Readers cannot find out
 * whether there is a writer without taking its lock, so after the timeout the file is padded here.
 *
 * @throws ChainStoreError if the file is not an LMDB data file, is truncated, or needs padding and cannot be written.
 */
export function waitForLmdbFile(file: string, timeoutMs: number = WAIT_MS): void {
  const end = performance.now() + timeoutMs;
  const neverNotified = new Int32Array(new SharedArrayBuffer(4));
  while (!checkLmdbFile(file)) {
    if (performance.now() >= end) {
      appendMissing(file);
      return;
    }
    Atomics.wait(neverNotified, 0, 0, POLL_MS);
  }
}

/**
 * Checks that the disk has space where LMDB would create a file: a plain write fails with an error where a mapped one ends the process.
 *
 * @throws ChainStoreError if the disk or its quota is full.
 */
export function checkDiskSpace(file: string): void {
  if (existsSync(file) && existsSync(`${file}${LMDB_LOCK_SUFFIX}`)) return;
  const probe = `${file}${DISK_PROBE_SUFFIX}`;
  try {
    writeFileSync(probe, new Uint8Array(MIN_DISK_SPACE));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    // LMDB reports other errors itself, and may be able to read where this cannot write.
    if (code === "ENOSPC" || code === "EDQUOT") {
      throw new ChainStoreError(`${file} cannot be opened: ${reasonOf(cause)}`, { cause });
    }
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Appends instead of setting a length, which would remove bytes that a writer adds at the same time. */
function appendMissing(file: string): void {
  const length = withFile(file, constants.O_RDONLY, (fd) => lengthOf(fd, file));
  if (isComplete(length, file)) return;
  try {
    withFile(file, constants.O_WRONLY | constants.O_APPEND, (fd) =>
      writeSync(fd, new Uint8Array(length.expected - length.actual)),
    );
  } catch (cause) {
    throw truncated(length, file, cause);
  }
}

function isComplete(length: FileLength, file: string): boolean {
  const { actual, expected, pageSize } = length;
  const missing = expected - actual;
  if (missing <= 0) return true;
  const isSmall = missing <= Math.min(MAX_MISSING.pages * pageSize, MAX_MISSING.share * expected);
  // LMDB writes whole pages, so a partial page means that the file was cut.
  if (isSmall && actual % pageSize === 0) return false;
  throw truncated(length, file);
}

function truncated({ actual, expected }: FileLength, file: string, cause?: unknown): ChainStoreError {
  return new ChainStoreError(`${file} is cut off: it has ${actual} bytes and should have ${expected}`, { cause });
}

function lengthOf(fd: number, file: string): FileLength {
  const meta = currentMetaPage(fd);
  if (!meta) throw new ChainStoreError(`${file} is not an LMDB data file`);
  const pageSize = meta.readUInt32LE(META.pageSize);
  const expected = (Number(meta.readBigUInt64LE(META.lastPage)) + 1) * pageSize;
  // Stat after the read: meanwhile the file can only grow.
  return { actual: fstatSync(fd).size, expected, pageSize };
}

function currentMetaPage(fd: number): Buffer | undefined {
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

function withFile<T>(file: string, flags: number, use: (fd: number) => T): T {
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
