import { hex, isEqual } from "./bytes.ts";
import { Cell } from "./cell.ts";
import { CellError, recordReads } from "./cell-reader.ts";
import { createPrunedBranch, isSmall } from "./pruned-branch.ts";

/**
 * A Merkle proof of the cells that `read` visits: it contains each cell for which `read` creates a `CellReader`, and the subtrees given
 * to `keep`. Pruned branches replace all other cells. The same function can then read the proof, checked by the root's hash.
 *
 * TL-B `!merkle_proof#03 virtual_hash:bits256 depth:uint16 virtual_root:^X = MERKLE_PROOF X`.
 *
 * @param read - Synchronous. Its errors are thrown.
 * @param root - May be a tree that was opened from a proof: the pruned branches that it has stay.
 * @throws RangeError if the tree has pruned branches for more than one Merkle cell around it.
 *
 * @example
 * const proof = createMerkleProof(state, (root, keep) => {
 *   const account = lookUpAccount(readState(root).accounts, address);
 *   if (account) keep(account);
 * });
 * openMerkleProof(proof, state.hash); // the state with this account alone
 */
export function createMerkleProof(root: Cell, read: (root: Cell, keep: (subtree: Cell) => void) => void): Cell {
  if (root.levelMask > 1) throw new RangeError(`the root of a tree to prove has level mask ${root.levelMask}, expected 0 or 1`);
  const whole = new Set<Cell>();
  const visited = recordReads(() => read(root, (subtree) => whole.add(subtree)));
  // By number of Merkle cells around the cell, because its pruned branch depends on it.
  const done: Map<Cell, Cell>[] = [];
  const prune = (cell: Cell, level: number): Cell => {
    if (whole.has(cell)) return cell;
    if (!visited.has(cell)) return isSmall(cell) ? cell : prunedBranch(cell, level);
    done[level] ??= new Map();
    const known = done[level].get(cell);
    if (known) return known;
    const inner = cell.type === "proof" || cell.type === "update" ? level + 1 : level;
    const refs = cell.refs.map((ref) => prune(ref, inner));
    const lowest = { hash: cell.hashAt(0), depth: cell.depthAt(0) };
    const isWhole = refs.every((ref, i) => ref === cell.refs[i]);
    const pruned = isWhole ? cell : new Cell(cell.bytes, cell.bitLength, refs, cell.type, lowest);
    done[level].set(cell, pruned);
    return pruned;
  };
  const rest = whole.has(root) || visited.has(root) ? prune(root, 1) : prunedBranch(root, 1);
  const bytes = new Uint8Array(1 + 34);
  bytes[0] = 3;
  bytes.set(root.hashAt(0), 1);
  new DataView(bytes.buffer).setUint16(33, root.depthAt(0));
  return new Cell(bytes, bytes.length * 8, [rest], "proof");
}

/** A branch with pruned branches of its own is replaced by one for the whole branch. */
function prunedBranch(cell: Cell, level: number): Cell {
  return createPrunedBranch(level === 1 ? { hash: cell.hashAt(0), depth: cell.depthAt(0) } : cell, level);
}

/**
 * One tree with all that opened proofs of it show.
 *
 * @param trees - At least one; all have the same hash at level 0.
 *
 * @example
 * mergeTrees([openMerkleProof(one, hash), openMerkleProof(other, hash)]);
 */
export function mergeTrees(trees: readonly Cell[]): Cell {
  const shown = trees.filter(({ type }) => type !== "pruned");
  const [first] = shown.length > 0 ? shown : trees;
  if (!first) throw new RangeError("trees to merge: expected at least one, got 0");
  if (shown.every((tree) => tree === first)) return first;
  const refs = first.refs.map((_, i) => mergeTrees(shown.flatMap((tree) => tree.refs[i] ?? [])));
  return new Cell(first.bytes, first.bitLength, refs, first.type);
}

/**
 * The root of the tree in a Merkle proof, from which pruned branches are missing.
 *
 * @param rootHash - The hash of the whole tree's root, from a source that is trusted.
 * @throws CellError if the cell is no Merkle proof, or proves a tree with another hash.
 *
 * @example
 * const [proof] = readBocRoots(answer.proof);
 * const { seqno } = readState(openMerkleProof(proof, stateHash));
 */
export function openMerkleProof(proof: Cell, rootHash: Uint8Array): Cell {
  const [root] = proof.refs;
  if (proof.type !== "proof" || !root) throw new CellError(`a cell must be a Merkle proof, got type ${proof.type}`);
  const hash = root.hashAt(0);
  if (!isEqual(hash, rootHash)) {
    throw new CellError(`a Merkle proof must prove the tree ${hex(rootHash)}, got ${hex(hash)}`);
  }
  return root;
}
