import { Cell, type CellType, type Digest } from "./cell.ts";
import { CellError } from "./cell-reader.ts";

const TYPES: readonly (CellType | undefined)[] = [undefined, "pruned", "library", "proof", "update"];

/** The type of an exotic cell, from its first byte. */
export function exoticType(data: Uint8Array, bitLength: number): CellType {
  const type = bitLength >= 8 ? TYPES[data[0] as number] : undefined;
  if (!type) throw new CellError("an exotic cell has an unknown type");
  return type;
}

/** Throws a CellError unless an exotic cell has the layout of its type, and a Merkle cell the hashes and depths of its references. */
export function checkExotic(cell: Cell): void {
  if (cell.type === "ordinary") return;
  const levels = cell.type === "pruned" ? levelCount(cell.bytes[1] ?? 0) : 0;
  const layouts: Record<Exclude<CellType, "ordinary">, { bits: number; refs: number }> = {
    pruned: { bits: 16 + levels * 272, refs: 0 },
    library: { bits: 8 + 256, refs: 0 },
    proof: { bits: 8 + 272, refs: 1 },
    update: { bits: 8 + 2 * 272, refs: 2 },
  };
  const { bits, refs } = layouts[cell.type];
  if (cell.bitLength !== bits || cell.refs.length !== refs || (cell.type === "pruned" && levels === 0)) {
    throw new CellError(`a cell of type ${cell.type} has ${cell.bitLength} bits and ${cell.refs.length} references`);
  }
  for (const [i, ref] of cell.refs.entries()) checkMerkle(cell, ref, i);
}

function checkMerkle(cell: Cell, ref: Cell, index: number): void {
  const hash = 1 + 32 * index;
  const depth = 1 + 32 * cell.refs.length + 2 * index;
  const storedDepth = ((cell.bytes[depth] as number) << 8) | (cell.bytes[depth + 1] as number);
  if (Buffer.compare(cell.bytes.subarray(hash, hash + 32), ref.hashAt(0)) !== 0 || storedDepth !== ref.depthAt(0)) {
    throw new CellError("a Merkle cell has another hash or depth than the cell that it refers to");
  }
}

/** 0 if the mask has more bits than there are levels. */
function levelCount(mask: number): number {
  return mask > 7 ? 0 : (mask & 1) + ((mask >> 1) & 1) + (mask >> 2);
}

/**
 * A pruned branch of level 1, which replaces a branch in a Merkle proof or Merkle update.
 *
 * @param branch - The cell to leave out, or its digest.
 *
 * @example
 * const short = new CellBuilder().uint(1, 9).ref(createPrunedBranch(large)).cell();
 * short.hashAt(0); // the hash of the cell that refers to `large` itself
 */
export function createPrunedBranch(branch: Digest): Cell {
  const bytes = new Uint8Array(2 + 34);
  bytes.set([1, 1]);
  bytes.set(branch.hash, 2);
  new DataView(bytes.buffer).setUint16(34, branch.depth);
  return new Cell(bytes, bytes.length * 8, [], "pruned");
}

/**
 * A Merkle update from one tree of cells to another with both trees pruned at their roots: it has only their hashes and depths.
 *
 * TL-B `!merkle_update#04 old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16 old:^X new:^X = MERKLE_UPDATE X`.
 */
export function createMerkleUpdate(before: Digest, after: Digest): Cell {
  const bytes = new Uint8Array(1 + 2 * 34);
  const view = new DataView(bytes.buffer);
  bytes[0] = 4;
  bytes.set(before.hash, 1);
  bytes.set(after.hash, 33);
  view.setUint16(65, before.depth);
  view.setUint16(67, after.depth);
  return new Cell(bytes, bytes.length * 8, [createPrunedBranch(before), createPrunedBranch(after)], "update");
}
