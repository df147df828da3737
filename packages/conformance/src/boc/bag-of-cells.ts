/** Reads bags of cells, the serialised form in which the API answers code, data, bodies and transactions. */
import { type Cell, CellError, cell, hashOf } from "./cell.ts";

const magic = 0xb5ee9c72;

/**
 * Reads a bag of cells and gives its roots.
 *
 * @example
 * ```ts
 * const [root] = bagOfCells(Buffer.from("te6cckEBAQEAAgAAAEysuc0=", "base64"));
 * root?.bitLength; // 0
 * ```
 * @throws CellError where the bytes are no bag of cells.
 */
export function bagOfCells(bytes: Uint8Array): Cell[] {
  const read = reader(bytes);
  if (bytes.length < 6 || read(4) !== magic) throw new CellError("it does not begin with b5ee9c72");
  const flags = read(1);
  const refSize = flags & 7;
  const offsetSize = read(1);
  if (refSize < 1 || refSize > 4 || offsetSize < 1 || offsetSize > 6) throw new CellError("its header makes no sense");
  const [count, rootCount, absent, size] = [read(refSize), read(refSize), read(refSize), read(offsetSize)];
  if (rootCount < 1 || rootCount + absent > count || count > bytes.length) throw new CellError("its header makes no sense");
  const rootIndexes = Array.from({ length: rootCount }, () => read(refSize));
  const hasIndex = (flags & 0x80) !== 0;
  const hasChecksum = (flags & 0x40) !== 0;
  if (hasIndex) for (let index = 0; index < count; index++) read(offsetSize);
  const start = read.position();
  const due = start + size + (hasChecksum ? 4 : 0);
  if (bytes.length !== due) throw new CellError(`its header promises ${due} bytes, and it has ${bytes.length}`);
  if (hasChecksum && crc32c(bytes.subarray(0, -4)) !== Buffer.from(bytes).readUInt32LE(due - 4)) {
    throw new CellError("its checksum is wrong");
  }
  const raws = Array.from({ length: count }, () => rawCell(read, refSize));
  if (read.position() !== start + size) throw new CellError("its cells end at another place than its header says");
  return rootsOf(raws, rootIndexes);
}

/** The hash of the only root of a bag of cells in base64, in base64. */
export function rootHashOf(base64: string): string {
  return Buffer.from(hashOf(onlyRootOf(base64))).toString("base64");
}

/** The only root of a bag of cells in base64. */
export function onlyRootOf(base64: string): Cell {
  const [root, ...more] = bagOfCells(Buffer.from(base64, "base64"));
  if (root === undefined || more.length > 0) throw new CellError(`it has ${more.length + 1} roots, where one is expected`);
  return root;
}

interface RawCell {
  readonly bytes: Uint8Array;
  readonly bitLength: number;
  readonly isExotic: boolean;
  readonly refs: readonly number[];
}

interface Reader {
  (size: number): number;
  bytes(size: number): Uint8Array;
  position(): number;
}

function reader(bytes: Uint8Array): Reader {
  let at = 0;
  const take = (size: number): Uint8Array => {
    if (at + size > bytes.length) throw new CellError("it ends too early");
    at += size;
    return bytes.subarray(at - size, at);
  };
  const read = (size: number): number => take(size).reduce((number, byte) => number * 256 + byte, 0);
  return Object.assign(read, { bytes: take, position: () => at });
}

function rawCell(read: Reader, refSize: number): RawCell {
  const [first, second] = [read(1), read(1)];
  const refCount = first & 7;
  if (refCount > 4) throw new CellError("a cell has more than four references");
  // A cell may carry its hashes and depths; they are skipped, because they prove nothing.
  if ((first & 0x10) !== 0) {
    const mask = first >> 5;
    read.bytes(34 * (1 + (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1)));
  }
  const bytes = read.bytes(Math.ceil(second / 2));
  const isFull = second % 2 === 0;
  const last = bytes.at(-1) ?? 0;
  if (!isFull && last === 0) throw new CellError("a cell has no end of its bits");
  const filling = isFull ? 0 : 1 + Math.log2(last & -last);
  const refs = Array.from({ length: refCount }, () => read(refSize));
  return { bytes, bitLength: bytes.length * 8 - filling, isExotic: (first & 8) !== 0, refs };
}

/** Cells refer only to later ones, so they are made from the last to the first. */
function rootsOf(raws: readonly RawCell[], rootIndexes: readonly number[]): Cell[] {
  const cells: Cell[] = [];
  const at = (index: number): Cell => {
    const found = cells[index];
    if (found === undefined) throw new CellError("a cell refers to one that is not after it");
    return found;
  };
  for (const [index, raw] of [...raws.entries()].reverse()) {
    cells[index] = cell(raw.bytes, raw.bitLength, raw.refs.map(at), raw.isExotic);
  }
  return rootIndexes.map(at);
}

function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
