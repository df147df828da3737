import { allocatePooled } from "#platform";
import { crc32c } from "./bytes.ts";
import { Cell, countBits, dataDescriptor } from "./cell.ts";
import { CellError } from "./cell-reader.ts";
import { checkExotic, exoticType, prunedDepth } from "./merkle.ts";

/** The general form, and two older ones with one root and an index (the second with a checksum). */
const GENERAL = 0xb5ee9c72;
const INDEXED = 0x68ff65f3;
const INDEXED_WITH_CHECKSUM = 0xacc3a728;

/** How much a bag of cells may hold. A bag of n bytes has up to n / 2 cells, and each takes up to 500 bytes of memory. */
export interface BocLimits {
  readonly maxCells?: number;
  readonly maxRoots?: number;
}

/**
 * Reads a bag of cells (BoC) with one root. Checks the checksum and the hashes in Merkle cells.
 *
 * @throws CellError if the bytes are not a bag of cells, are damaged, or have several roots.
 *
 * @example
 * readBoc(fromBinaryString(atob("te6cckEBAQEAAgAAAEysuc0="))).bitLength; // 0
 */
export function readBoc(bytes: Uint8Array): Cell {
  const [root, ...others] = readBocRoots(bytes);
  if (!root || others.length > 0) throw new CellError(`a bag of cells has ${others.length + 1} roots, expected one`);
  return root;
}

/**
 * Reads a bag of cells with any number of roots, such as a lite server's proof. TL-B: `serialized_boc` in boc.tlb.
 *
 * @param limits - For bags from a source that is not trusted. Checked before memory is taken.
 * @throws RangeError if the bag holds more.
 * @throws CellError if the bytes are not a bag of cells, or are damaged.
 */
export function readBocRoots(source: Uint8Array, limits: BocLimits = {}): Cell[] {
  // A view that is no Buffer: `slice` of a Buffer does not copy, so cells would change with the bytes.
  const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const header = readHeader(bytes, limits);
  const places = findCells(bytes, header);
  const cells = new Array<Cell>(header.cells);
  const depths = new Uint16Array(header.cells);
  for (let i = header.cells - 1; i >= 0; i--) cells[i] = readCell(bytes, places[i] as number, i, header.refSize, cells, depths);
  return header.roots.map((root) => getCell(cells, root));
}

interface Header {
  readonly cells: number;
  /** Indices of the roots. */
  readonly roots: readonly number[];
  /** Bytes per reference. */
  readonly refSize: number;
  /** Where the cells begin and end. */
  readonly from: number;
  readonly to: number;
}

function readHeader(bytes: Uint8Array, { maxCells, maxRoots }: BocLimits): Header {
  let at = 0;
  const uint = (size: number): number => {
    if (at + size > bytes.length) throw new CellError(`a bag of cells ends within its first ${at + size} bytes`);
    at += size;
    return uintAt(bytes, at - size, size);
  };
  const magic = uint(4);
  if (magic !== GENERAL && magic !== INDEXED && magic !== INDEXED_WITH_CHECKSUM) {
    throw new CellError("the bytes are not a bag of cells");
  }
  const flags = uint(1);
  const refSize = magic === GENERAL ? flags & 7 : flags;
  const offsetSize = uint(1);
  if (refSize < 1 || refSize > 4 || offsetSize < 1 || offsetSize > 8) {
    throw new CellError(`a bag of cells has references of ${refSize} and offsets of ${offsetSize} bytes, expected 1…4 and 1…8`);
  }
  const cells = uint(refSize);
  const rootCount = uint(refSize);
  const absent = uint(refSize);
  const length = uint(offsetSize);
  if (rootCount < 1 || absent > cells) throw new CellError(`a bag of ${cells} cells has ${rootCount} roots`);
  if (cells > (maxCells ?? cells) || rootCount > (maxRoots ?? rootCount)) {
    throw new RangeError(
      `a bag of cells must have at most ${maxCells ?? cells} cells and ${maxRoots ?? rootCount} roots, got ${cells} and ${rootCount}`,
    );
  }
  if (cells * 2 > bytes.length) throw new CellError(`a bag of ${cells} cells has only ${bytes.length} bytes`);
  const roots = [0];
  if (magic === GENERAL) for (let i = 0; i < rootCount; i++) roots[i] = uint(refSize);
  if (magic !== GENERAL || flags & 0x80) at += cells * offsetSize;
  const from = at;
  const to = from + length;
  const hasChecksum = magic === INDEXED_WITH_CHECKSUM || (magic === GENERAL && (flags & 0x40) !== 0);
  const end = to + (hasChecksum ? 4 : 0);
  if (end !== bytes.length) throw new CellError(`a bag of cells has ${bytes.length} bytes, expected ${end}`);
  if (hasChecksum && new DataView(bytes.buffer, bytes.byteOffset).getUint32(to, true) !== crc32c(bytes.subarray(0, to))) {
    throw new CellError("a bag of cells has a wrong checksum");
  }
  return { cells, roots, refSize, from, to };
}

/** Where each cell begins. From the lengths in the cells themselves, so that an index may be absent or wrong. */
function findCells(bytes: Uint8Array, { cells, refSize, from, to }: Header): Uint32Array {
  const places = new Uint32Array(cells);
  let at = from;
  for (let i = 0; i < cells; i++) {
    places[i] = at;
    if (at + 2 > to) throw new CellError(`a bag of cells ends before its cell ${i}`);
    const first = bytes[at] as number;
    at = dataPlace(at, first) + (((bytes[at + 1] as number) + 1) >> 1) + (first & 7) * refSize;
  }
  if (at !== to) throw new CellError(`the cells of a bag end at byte ${at}, expected ${to}`);
  return places;
}

/** Cells may carry their hashes (32 bytes) and depths (2 bytes) before their data, one pair per level. */
function dataPlace(place: number, first: number): number {
  if ((first & 16) === 0) return place + 2;
  return place + 2 + 34 * (1 + countBits(first >> 5));
}

function readCell(
  bytes: Uint8Array,
  place: number,
  index: number,
  refSize: number,
  cells: readonly Cell[],
  depths: Uint16Array,
): Cell {
  const first = bytes[place] as number;
  const second = bytes[place + 1] as number;
  const count = first & 7;
  if (count > 4) throw new CellError(`cell ${index} of a bag is absent or has ${count} references`);
  const from = dataPlace(place, first);
  const to = from + ((second + 1) >> 1);
  const data = bytes.slice(from, to);
  const refs: Cell[] = [];
  for (let i = 0; i < count; i++) {
    const reference = uintAt(bytes, to + i * refSize, refSize);
    if (reference <= index) throw new CellError(`cell ${index} of a bag refers back to cell ${reference}`);
    refs.push(getCell(cells, reference));
    depths[index] = Math.max(depths[index] as number, (depths[reference] as number) + 1);
  }
  const bitLength = second & 1 ? countPaddedBits(data, index) : data.length * 8;
  const type = (first & 8) === 0 ? "ordinary" : exoticType(data, bitLength);
  const cell = new Cell(data, bitLength, refs, type);
  if (type === "pruned") depths[index] = prunedDepth(cell);
  // Checked here and not only where cells are hashed, because hashing recurses and a hostile bag could exhaust the stack.
  if ((depths[index] as number) > 1024) throw new CellError("a bag holds a tree of cells deeper than 1024");
  checkExotic(cell);
  return cell;
}

function countPaddedBits(data: Uint8Array, index: number): number {
  const last = data[data.length - 1];
  if (!last) throw new CellError(`cell ${index} of a bag has no end of its bits: its last byte is 0`);
  return data.length * 8 - (32 - Math.clz32(last & -last));
}

function getCell(cells: readonly Cell[], index: number): Cell {
  const cell = cells[index];
  if (!cell) throw new CellError(`a bag of ${cells.length} cells has no cell ${index}`);
  return cell;
}

function uintAt(bytes: Uint8Array, place: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + (bytes[place + i] as number);
  return value;
}

/**
 * Writes a bag of cells with one root and a checksum, without an index. Equal cells are written once. The order of the cells is
 * that of the reference implementation, so `Cell.toBoc` of `@ton/core` gives the same bytes.
 *
 * @throws RangeError if the tree is deeper than 1024.
 *
 * @example
 * await writeFile("cell.boc", writeBoc(cell));
 */
export function writeBoc(root: Cell): Uint8Array {
  return writeBocRoots([root]);
}

/**
 * Like `writeBoc`, for bytes that are soon copied: they share memory with others, which takes less time to allocate and is kept as long
 * as one of them.
 *
 * @example
 * hash.update(writePooledBoc(cell));
 */
export function writePooledBoc(root: Cell): Uint8Array {
  return writeRoots([root], allocatePooled);
}

/**
 * Writes a bag of cells with several roots, in the form of `writeBoc`. Cells that occur in several trees are written once.
 *
 * @throws RangeError if there is no root, or if a tree is deeper than 1024.
 */
export function writeBocRoots(roots: readonly Cell[]): Uint8Array {
  return writeRoots(roots, (size) => new Uint8Array(size));
}

function writeRoots(roots: readonly Cell[], allocate: (size: number) => Uint8Array): Uint8Array {
  if (roots.length === 0) throw new RangeError("a bag of cells needs at least one root");
  const { cells, placedRoots } = orderCells(roots);
  const refSize = byteWidth(Math.max(cells.length, roots.length));
  let length = 0;
  for (const { cell } of cells) length += 2 + cell.bytes.length + cell.refs.length * refSize;
  const offsetSize = byteWidth(length);
  const head = 6 + (3 + roots.length) * refSize + offsetSize;
  const bytes = allocate(head + length + 4);
  putUint(bytes, GENERAL, 0, 4);
  bytes[4] = 0x40 | refSize;
  bytes[5] = offsetSize;
  let at = putUint(bytes, cells.length, 6, refSize);
  at = putUint(bytes, roots.length, at, refSize);
  at = putUint(bytes, 0, at, refSize);
  at = putUint(bytes, length, at, offsetSize);
  for (const root of placedRoots) at = putUint(bytes, cells.length - 1 - root.order, at, refSize);
  for (const { cell, refs } of cells) {
    bytes[at++] = cell.refs.length + (cell.type === "ordinary" ? 0 : 8) + 32 * cell.levelMask;
    bytes[at++] = dataDescriptor(cell.bitLength);
    bytes.set(cell.bytes, at);
    at += cell.bytes.length;
    for (const ref of refs) at = putUint(bytes, cells.length - 1 - ref.order, at, refSize);
  }
  let checksum = crc32c(bytes.subarray(0, at));
  for (let i = 0; i < 4; i++, checksum >>>= 8) bytes[at + i] = checksum;
  return bytes;
}

/** Writes a number of `size` bytes, at most 4, and returns the place after it. */
function putUint(bytes: Uint8Array, value: number, at: number, size: number): number {
  for (let i = at + size - 1, rest = value; i >= at; i--, rest >>>= 8) bytes[i] = rest;
  return at + size;
}

/** A cell to be written. `order` counts from the last one; `next` is another cell whose hash begins with the same bits. */
interface PlacedCell {
  readonly cell: Cell;
  readonly refs: PlacedCell[];
  readonly next: PlacedCell | undefined;
  order: number;
}

/** Every cell before its references: depth first, last reference first, then reversed. */
function orderCells(roots: readonly Cell[]): { readonly cells: PlacedCell[]; readonly placedRoots: PlacedCell[] } {
  const byHashStart = new Map<number, PlacedCell>();
  const ordered: PlacedCell[] = [];
  const place = (cell: Cell): PlacedCell => {
    const start = hashStart(cell.hash);
    const next = byHashStart.get(start);
    for (let seen = next; seen; seen = seen.next) if (isSame(seen.cell, cell)) return seen;
    const { length } = cell.refs;
    const placed: PlacedCell = { cell, refs: new Array<PlacedCell>(length), next, order: 0 };
    byHashStart.set(start, placed);
    for (let i = length - 1; i >= 0; i--) placed.refs[i] = place(cell.refs[i] as Cell);
    placed.order = ordered.push(placed) - 1;
    return placed;
  };
  const placedRoots = roots.map(place);
  return { cells: ordered.reverse(), placedRoots };
}

/** The first 30 bits: a Map stores keys of this size without allocating. */
function hashStart(hash: Uint8Array): number {
  return ((hash[0] as number) << 22) | ((hash[1] as number) << 14) | ((hash[2] as number) << 6) | ((hash[3] as number) >> 2);
}

function isSame(a: Cell, b: Cell): boolean {
  if (a === b) return true;
  const [one, other] = [a.hash, b.hash];
  for (let i = 0; i < 32; i++) if (one[i] !== other[i]) return false;
  return true;
}

function byteWidth(value: number): number {
  return Math.max(1, Math.ceil((32 - Math.clz32(value)) / 8));
}
