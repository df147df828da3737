import type { Cell } from "./cell.ts";
import type { Digest } from "./digest.ts";
import { dataDescriptor, depthAbove, representationHash } from "./representation.ts";

/** Hashes and depths of a cell for the levels 0, 1, …; the last stands for all above. */
export interface CellLevels {
  readonly mask: number;
  readonly digests: readonly Digest[];
}

/**
 * The levels of a cell, from those of its references. Inside a Merkle cell references are looked at one level higher; a pruned
 * branch shows the hashes that it carries at lower levels, and its own at the highest.
 */
export function cellLevels(cell: Cell): CellLevels {
  const mask = levelMask(cell);
  const isMerkle = cell.type === "proof" || cell.type === "update";
  const top = 32 - Math.clz32(mask);
  const digests: Digest[] = [];
  const carried = cell.type === "pruned" ? prunedDigests(cell) : [];
  for (let level = 0; level <= top; level++) {
    const isSignificant = level === 0 || (mask >> (level - 1)) & 1;
    const below = digests[level - 1];
    if (!isSignificant && below) {
      digests.push(below);
      continue;
    }
    const pruned = level < top ? carried[countBits(mask & ((1 << level) - 1))] : undefined;
    digests.push(pruned ?? own(cell, mask, level, isMerkle, carried.length > 0 ? undefined : below));
  }
  return { mask, digests };
}

function own(cell: Cell, mask: number, level: number, isMerkle: boolean, below: Digest | undefined): Digest {
  const refs = cell.refs.map((ref) => digestAt(ref, isMerkle ? level + 1 : level));
  const shown = mask & ((1 << level) - 1);
  const descriptor = refs.length + (cell.type === "ordinary" ? 0 : 8) + 32 * shown;
  return {
    hash: representationHash(descriptor, dataDescriptor(cell.bitLength), below?.hash ?? cell.bytes, refs),
    depth: depthAbove(refs),
  };
}

function digestAt(cell: Cell, level: number): Digest {
  return { hash: cell.hashAt(level), depth: cell.depthAt(level) };
}

function levelMask(cell: Cell): number {
  if (cell.type === "pruned") return cell.bytes[1] ?? 0;
  let mask = 0;
  for (const ref of cell.refs) mask |= ref.levelMask;
  return cell.type === "proof" || cell.type === "update" ? mask >> 1 : mask;
}

/** A pruned branch: type, level mask, then hashes (32 bytes each) and depths (2 bytes each), lowest level first. */
function prunedDigests(cell: Cell): Digest[] {
  const count = countBits(cell.bytes[1] ?? 0);
  const view = new DataView(cell.bytes.buffer, cell.bytes.byteOffset, cell.bytes.byteLength);
  return Array.from({ length: count }, (_, i) => ({
    hash: cell.bytes.subarray(2 + 32 * i, 34 + 32 * i),
    depth: view.getUint16(2 + 32 * count + 2 * i),
  }));
}

function countBits(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1);
}
