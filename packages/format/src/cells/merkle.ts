import { isEqual, toBinaryString } from "./bytes.ts";
import { Cell, type CellType, countBits, type Digest } from "./cell.ts";
import { CellError, CellReader } from "./cell-reader.ts";
import { createPrunedBranch, isSmall } from "./pruned-branch.ts";

const TYPES: readonly (CellType | undefined)[] = [undefined, "pruned", "library", "proof", "update"];

/** The type of an exotic cell, from its first byte. */
export function exoticType(data: Uint8Array, bitLength: number): CellType {
  const type = bitLength >= 8 ? TYPES[data[0] as number] : undefined;
  if (!type)
    throw new CellError(
      `an exotic cell must have type 1 to 4, got ${bitLength >= 8 ? data[0] : "none"}: it may be of a newer block.tlb`,
    );
  return type;
}

/** The depth of the branch that a pruned branch replaces: the highest of those at its levels. The cell need not be checked yet. */
export function prunedDepth({ bytes }: Cell): number {
  const count = levelCount(bytes[1] ?? 0);
  const depths = bytes.subarray(2 + 32 * count, 2 + 34 * count);
  let deepest = 0;
  for (let at = 0; at + 1 < depths.length; at += 2)
    deepest = Math.max(deepest, ((depths[at] as number) << 8) | (depths[at + 1] as number));
  return deepest;
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
  if (!isEqual(cell.bytes.subarray(hash, hash + 32), ref.hashAt(0)) || storedDepth !== ref.depthAt(0)) {
    throw new CellError("a Merkle cell has another hash or depth than the cell that it refers to");
  }
}

/** 0 if the mask has more bits than there are levels. */
function levelCount(mask: number): number {
  return mask > 7 ? 0 : countBits(mask);
}

/**
 * A Merkle update from one tree of cells to another, as nodes make it: the new tree has the cells that the old one does not have and all
 * cells without references, and the old tree has the paths to the pruned branches of the new one.
 *
 * TL-B `!merkle_update#04 old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16 old:^X new:^X = MERKLE_UPDATE X`.
 *
 * @param before - May have pruned branches itself, as `after`. Both must show where they differ.
 *
 * @example
 * const [oldTree, newTree] = createMerkleUpdate(before, after).refs;
 */
export function createMerkleUpdate(before: Cell, after: Cell): Cell {
  const used = new Set<string>();
  const newTree = withoutKnown(after, hashesIn(before), used);
  const trees = [pathsTo(before, used).cell, newTree];
  const bytes = new Uint8Array(1 + 2 * 34);
  const view = new DataView(bytes.buffer);
  bytes[0] = 4;
  for (const [i, tree] of trees.entries()) {
    bytes.set(tree.hashAt(0), 1 + 32 * i);
    view.setUint16(65 + 2 * i, tree.depthAt(0));
  }
  return new Cell(bytes, bytes.length * 8, trees, "update");
}

function nameOf(cell: Cell): string {
  return toBinaryString(cell.hashAt(0));
}

/** Merkle cells within a tree are kept or pruned as a whole, so that all pruned branches have the same level. */
function branchesOf(cell: Cell): readonly Cell[] {
  return cell.type === "ordinary" ? cell.refs : [];
}

function hashesIn(root: Cell): ReadonlySet<string> {
  const hashes = new Set<string>();
  const waiting = [root];
  for (let cell = waiting.pop(); cell; cell = waiting.pop()) {
    hashes.add(nameOf(cell));
    waiting.push(...branchesOf(cell));
  }
  return hashes;
}

/** Prunes the cells with known hashes that have references, and adds their hashes to `used`. */
function withoutKnown(cell: Cell, known: ReadonlySet<string>, used: Set<string>): Cell {
  if (cell.refs.length === 0 && cell.type !== "pruned") return cell;
  const name = nameOf(cell);
  if (known.has(name)) {
    used.add(name);
    return shortened(cell);
  }
  return withBranches(
    cell,
    branchesOf(cell).map((branch) => withoutKnown(branch, known, used)),
  );
}

/** Prunes all but the cells above those with a hash in `used`. */
function pathsTo(root: Cell, used: ReadonlySet<string>): { readonly cell: Cell; readonly isUsed: boolean } {
  const branches = branchesOf(root).map((branch) => pathsTo(branch, used));
  const isAbove = branches.some(({ isUsed }) => isUsed);
  const cell = isAbove
    ? withBranches(
        root,
        branches.map((branch) => branch.cell),
      )
    : shortened(root);
  return { cell, isUsed: isAbove || used.has(nameOf(root)) };
}

function withBranches(cell: Cell, branches: readonly Cell[]): Cell {
  if (branches.every((branch, i) => branch === cell.refs[i])) return cell;
  return new Cell(cell.bytes, cell.bitLength, branches, cell.type, wholeDigest(cell));
}

function shortened(cell: Cell): Cell {
  return isSmall(cell) ? cell : createPrunedBranch(wholeDigest(cell));
}

function wholeDigest(cell: Cell): Digest {
  return { hash: cell.hashAt(0), depth: cell.depthAt(0) };
}

/**
 * Reads the hashes of both trees of a Merkle update, see `createMerkleUpdate`. Touches neither tree, so that it can read a proof.
 *
 * @throws CellError if the cell is no Merkle update.
 */
export function readMerkleUpdate(cell: Cell): { readonly oldHash: Uint8Array; readonly newHash: Uint8Array } {
  const reader = new CellReader(cell);
  if (cell.type !== "update") throw new CellError(`a cell must be a Merkle update, got type ${cell.type}`);
  return { oldHash: reader.skip(8).bytes(32), newHash: reader.bytes(32) };
}

/**
 * The tree after a Merkle update, see `createMerkleUpdate`. Branches that the tree before has, too, are pruned.
 *
 * @throws CellError if the cell is no Merkle update.
 */
export function openMerkleUpdate(cell: Cell): Cell {
  const [, after] = cell.refs;
  if (cell.type !== "update" || !after) throw new CellError(`a cell must be a Merkle update, got type ${cell.type}`);
  return after;
}

/**
 * Replaces pruned branches of a tree by their cells. Hashes at level 0 do not change.
 *
 * @param find - Receives the hash of a branch, and returns its cell, or undefined to leave the branch out.
 *
 * @example
 * replacePruned(short, (hash) => (isEqual(hash, large.hash) ? large : undefined));
 */
export function replacePruned(cell: Cell, find: (hash: Uint8Array) => Cell | undefined): Cell {
  if (cell.type === "pruned") return find(cell.hashAt(0)) ?? cell;
  const refs = cell.refs.map((ref) => replacePruned(ref, find));
  return refs.some((ref, i) => ref !== cell.refs[i]) ? new Cell(cell.bytes, cell.bitLength, refs, cell.type) : cell;
}
