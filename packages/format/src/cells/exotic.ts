import { Cell, type CellType } from "./cell.ts";
import { CellError } from "./cell-reader.ts";
import type { Digest } from "./digest.ts";

const TYPES: readonly (CellType | undefined)[] = [undefined, "pruned", "library", "proof", "update"];

/** The type of an exotic cell, from its first byte. Throws a CellError for a type that there is not. */
export function exoticType(data: Uint8Array, bitLength: number): CellType {
  const type = bitLength >= 8 ? TYPES[data[0] as number] : undefined;
  if (!type) throw new CellError("a bag holds an exotic cell of an unknown type");
  return type;
}

/** Throws a CellError where an exotic cell has not the form of its type, or a Merkle cell not the hashes of what it refers to. */
export function checkExotic(cell: Cell): void {
  const levels = cell.type === "pruned" ? countLevels(cell.bytes[1] ?? 0) : 0;
  const forms: Record<Exclude<CellType, "ordinary">, { bits: number; refs: number }> = {
    pruned: { bits: 16 + levels * 272, refs: 0 },
    library: { bits: 8 + 256, refs: 0 },
    proof: { bits: 8 + 272, refs: 1 },
    update: { bits: 8 + 2 * 272, refs: 2 },
  };
  if (cell.type === "ordinary") return;
  const form = forms[cell.type];
  if (cell.bitLength !== form.bits || cell.refs.length !== form.refs || (cell.type === "pruned" && levels === 0)) {
    throw new CellError(
      `a bag holds a cell of type ${cell.type} with ${cell.bitLength} bits and ${cell.refs.length} references`,
    );
  }
  for (const [i, ref] of cell.refs.entries()) checkMerkle(cell, ref, i);
}

/** A cell that stands for a branch left out of a Merkle update or proof. */
export function prunedBranch(branch: Digest): Cell {
  const bytes = new Uint8Array(2 + 34);
  bytes.set([1, 1]);
  bytes.set(branch.hash, 2);
  new DataView(bytes.buffer).setUint16(34, branch.depth);
  return new Cell(bytes, bytes.length * 8, [], "pruned");
}

/** The change from one tree of cells to another (TL-B MERKLE_UPDATE), both left out but for their hashes and depths. */
export function merkleUpdate(before: Digest, after: Digest): Cell {
  const bytes = new Uint8Array(1 + 2 * 34);
  const view = new DataView(bytes.buffer);
  bytes[0] = 4;
  bytes.set(before.hash, 1);
  bytes.set(after.hash, 33);
  view.setUint16(65, before.depth);
  view.setUint16(67, after.depth);
  return new Cell(bytes, bytes.length * 8, [prunedBranch(before), prunedBranch(after)], "update");
}

function checkMerkle(cell: Cell, ref: Cell, index: number): void {
  const hash = 1 + 32 * index;
  const depth = 1 + 32 * cell.refs.length + 2 * index;
  const saidDepth = ((cell.bytes[depth] as number) << 8) | (cell.bytes[depth + 1] as number);
  if (Buffer.compare(cell.bytes.subarray(hash, hash + 32), ref.hashAt(0)) !== 0 || saidDepth !== ref.depthAt(0)) {
    throw new CellError("a Merkle cell does not have the hash of what it refers to");
  }
}

function countLevels(mask: number): number {
  return mask > 7 ? 0 : (mask & 1) + ((mask >> 1) & 1) + (mask >> 2);
}
