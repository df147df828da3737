/** Bags of cells that are damaged, or forged. */
import { Cell, readBocRoots, writeBocRoots } from "@chain-query/format/cells";

/** One flipped bit, by default of the middle byte. The checksum of a bag detects it. */
export function flipBitOf(bytes: Uint8Array, bit: number = (bytes.length >> 1) * 8): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  const at = bit >> 3;
  if (at < bytes.length) flipped[at] = (flipped[at] as number) ^ (0x80 >> (bit & 7));
  return flipped;
}

/**
 * A bag with one flipped bit in the last cell that holds data. Checksum and Merkle cells are made anew, so that only the hash of the
 * whole tree detects it.
 */
export function forge(bag: Uint8Array): Uint8Array {
  if (bag.length === 0) return bag;
  const roots = readBocRoots(bag);
  const last = roots.pop();
  return last ? writeBocRoots([...roots, forgeCell(last)]) : bag;
}

function forgeCell(cell: Cell): Cell {
  const index = cell.refs.findLastIndex(holdsData);
  const child = cell.refs[index];
  if (!child) return new Cell(flipBitOf(cell.bytes, 0), cell.bitLength, cell.refs, cell.type);
  const refs = cell.refs.with(index, forgeCell(child));
  const bytes = cell.type === "proof" ? merkleBytes(cell, refs[0] as Cell) : cell.bytes;
  return new Cell(bytes, cell.bitLength, refs, cell.type);
}

function holdsData(cell: Cell): boolean {
  return cell.type === "ordinary" && cell.bitLength > 0;
}

/** The contents of a Merkle proof: its type, then hash and depth of the tree. */
function merkleBytes(proof: Cell, root: Cell): Uint8Array {
  const bytes = Uint8Array.from(proof.bytes);
  bytes.set(root.hashAt(0), 1);
  new DataView(bytes.buffer).setUint16(33, root.depthAt(0));
  return bytes;
}

/** A bag with a tree deeper than 1024. */
export function deepBag(): Uint8Array {
  const cells = 1100;
  // Each cell has no bits, and refers to the next one.
  return bagOf(
    cells,
    Array.from({ length: cells }, (_, i) => (i + 1 < cells ? [1, 0, (i + 1) >> 8, (i + 1) & 255] : [0, 0])).flat(),
  );
}

/** A bag with a cell that refers to itself. */
export function cyclicBag(): Uint8Array {
  return bagOf(1, [1, 0, 0, 0]);
}

/** A bag without a checksum, with one root, and references of two bytes. */
function bagOf(cells: number, body: readonly number[]): Uint8Array {
  const head = Buffer.from("b5ee9c7202020000000100000000", "hex");
  head.writeUInt16BE(cells, 6);
  head.writeUInt16BE(body.length, 12);
  return Buffer.from([...head, 0, 0, ...body]);
}
