import { bocHeader } from "./boc-header.ts";
import { Cell } from "./cell.ts";
import { CellError } from "./cell-reader.ts";
import { checkExotic, exoticType } from "./exotic.ts";

/**
 * Reads a bag of cells with one root.
 *
 * @throws CellError where the bytes are none, are damaged, or hold more than one root.
 *
 * @example
 * readBoc(Buffer.from("te6cckEBAQEAAgAAAEysuc0=", "base64")).bitLength; // 0
 */
export function readBoc(bytes: Uint8Array): Cell {
  const [root, ...others] = readBocRoots(bytes);
  if (!root || others.length > 0)
    throw new CellError(`a bag of cells has ${others.length + (root ? 1 : 0)} roots instead of one`);
  return root;
}

/** Reads a bag of cells with any number of roots. Throws a CellError as `readBoc`. */
export function readBocRoots(source: Uint8Array): Cell[] {
  // A Buffer's slice is no copy: cells would change with the bytes that they were read from.
  const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const header = bocHeader(bytes);
  const places = placesOf(bytes, header.cells, header.from, header.to, header.refSize);
  const cells = new Array<Cell>(header.cells);
  const depths = new Uint16Array(header.cells);
  for (let i = header.cells - 1; i >= 0; i--) cells[i] = cellAt(bytes, places[i] as number, i, header.refSize, cells, depths);
  return header.roots.map((root) => known(cells, root));
}

/** Where each cell begins, with one more for the end: cells say their own length, so that the index is not needed. */
function placesOf(bytes: Uint8Array, count: number, from: number, to: number, refSize: number): Uint32Array {
  const places = new Uint32Array(count + 1);
  let at = from;
  for (let i = 0; i < count; i++) {
    places[i] = at;
    if (at + 2 > to) throw new CellError(`a bag of cells ends before its cell ${i}`);
    const first = bytes[at] as number;
    at = dataPlace(at, first) + (((bytes[at + 1] as number) + 1) >> 1) + (first & 7) * refSize;
  }
  if (at !== to) throw new CellError(`the cells of a bag end at byte ${at} instead of ${to}`);
  places[count] = at;
  return places;
}

/** Cells may carry their hashes (32 bytes) and depths (2 bytes) before their data: one of each for every level. */
function dataPlace(place: number, first: number): number {
  if ((first & 16) === 0) return place + 2;
  const mask = first >> 5;
  return place + 2 + 34 * (1 + (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1));
}

function cellAt(
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
    refs.push(known(cells, reference));
    depths[index] = Math.max(depths[index] as number, (depths[reference] as number) + 1);
  }
  // Here and not where they are hashed, so that a bag made to be deep does not exhaust the stack.
  if ((depths[index] as number) > 1024) throw new CellError("a bag holds a tree of cells deeper than 1024");
  const bitLength = second & 1 ? bitsOfPadded(data, index) : data.length * 8;
  if ((first & 8) === 0) return new Cell(data, bitLength, refs);
  const cell = new Cell(data, bitLength, refs, exoticType(data, bitLength));
  checkExotic(cell);
  return cell;
}

function bitsOfPadded(data: Uint8Array, index: number): number {
  const last = data[data.length - 1];
  if (!last) throw new CellError(`cell ${index} of a bag does not say where its bits end`);
  return data.length * 8 - (32 - Math.clz32(last & -last));
}

function known(cells: readonly Cell[], index: number): Cell {
  const cell = cells[index];
  if (!cell) throw new CellError(`a bag of ${cells.length} cells has no cell ${index}`);
  return cell;
}

function uintAt(bytes: Uint8Array, place: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + (bytes[place + i] as number);
  return value;
}
