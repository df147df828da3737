import { Cell, type Digest } from "./cell.ts";

/**
 * A pruned branch, which replaces a branch in a Merkle proof or Merkle update.
 *
 * @param branch - The cell to leave out, or its digest.
 * @param level - Number of Merkle cells around it, with the one that it is made for: 1, but 2 in a proof's Merkle update.
 * @throws RangeError if the branch has pruned branches of this level or above itself.
 */
export function createPrunedBranch(branch: Digest, level = 1): Cell {
  const below = branch instanceof Cell ? branch.levelMask : 0;
  if (below >> (level - 1) !== 0 || level > 3)
    throw new RangeError(`a branch of levels ${below} cannot be pruned at level ${level}`);
  const digests: Digest[] = branch instanceof Cell ? [{ hash: branch.hashAt(0), depth: branch.depthAt(0) }] : [branch];
  for (let i = 1; i < level; i++) {
    if (branch instanceof Cell && (below >> (i - 1)) & 1) digests.push({ hash: branch.hashAt(i), depth: branch.depthAt(i) });
  }
  const bytes = new Uint8Array(2 + 34 * digests.length);
  const view = new DataView(bytes.buffer);
  bytes.set([1, below | (1 << (level - 1))]);
  for (const [i, { hash, depth }] of digests.entries()) {
    bytes.set(hash, 2 + 32 * i);
    view.setUint16(2 + 32 * digests.length + 2 * i, depth);
  }
  return new Cell(bytes, bytes.length * 8, [], "pruned", digests[0]);
}

/** A cell that takes no more bytes than its pruned branch. */
export function isSmall(cell: Cell): boolean {
  return cell.refs.length === 0 && cell.bytes.length <= 2 + 34;
}
