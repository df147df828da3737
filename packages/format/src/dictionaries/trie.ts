import { fromBinaryString, hex, toBinaryString } from "../cells/bytes.ts";
import type { Cell, Digest } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { bitAt, firstDifference, writeLabel } from "./hashmap.ts";

/** The extra of an augmented dictionary: a sum over all entries below a node, which every node carries. */
export interface Augmentation<Extra> {
  /** The sum over no entries. */
  readonly empty: Extra;
  combine(left: Extra, right: Extra): Extra;
  write(builder: CellBuilder, extra: Extra): void;
}

/** How the keys, values and extras of a dictionary are written. */
export interface TrieFormat<Value, Extra> {
  /** Bits of a key. */
  readonly width: number;
  readonly augmentation: Augmentation<Extra>;
  /** The extra of one entry. */
  extraOf(value: Value): Extra;
  /** Writes a value into the cell of its leaf. */
  writeValue(builder: CellBuilder, value: Value): void;
}

/** The augmentation of dictionaries without extras (`Hashmap`, `HashmapE`). */
export const UNAUGMENTED: Augmentation<undefined> = {
  empty: undefined,
  combine: () => undefined,
  write: () => undefined,
};

/** The format of dictionaries without extras. */
export function plainFormat<Value>(
  width: number,
  writeValue: (builder: CellBuilder, value: Value) => unknown,
): TrieFormat<Value, undefined> {
  return { width, augmentation: UNAUGMENTED, extraOf: () => undefined, writeValue };
}

/**
 * An immutable dictionary (TL-B `Hashmap`, `HashmapAug`, and `HashmapE`, `HashmapAugE`, which may be empty). `set` and `delete`
 * return a new one that shares all branches but the path to the key, with their hashes and extras. So a change costs time in the
 * depth of the key, not in the number of entries.
 *
 * @example
 * const accounts = Trie.empty(SHARD_ACCOUNTS).set(address, account);
 * accounts.rootDigest?.hash;
 */
export class Trie<Value, Extra> implements Iterable<readonly [key: Uint8Array, value: Value]> {
  readonly format: TrieFormat<Value, Extra>;
  /** Number of entries. */
  readonly size: number;
  readonly #root: Node<Value, Extra> | undefined;

  private constructor(format: TrieFormat<Value, Extra>, root: Node<Value, Extra> | undefined, size: number) {
    this.format = format;
    this.size = size;
    this.#root = root;
  }

  /** A dictionary without entries. */
  static empty<Value, Extra>(format: TrieFormat<Value, Extra>): Trie<Value, Extra> {
    return new Trie(format, undefined, 0);
  }

  /** A dictionary of entries in any order; linear time if they are sorted by key. Throws a RangeError for a repeated key. */
  static from<Value, Extra>(
    format: TrieFormat<Value, Extra>,
    entries: Iterable<readonly [key: Uint8Array, value: Value]>,
  ): Trie<Value, Extra> {
    const sorted = Array.from(entries, ([key, value]) => createLeaf<Value, Extra>(toBinaryString(key), format.width, value));
    sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
    return new Trie(format, sorted.length === 0 ? undefined : buildTree(sorted, 0, sorted.length, format.width), sorted.length);
  }

  get(key: Uint8Array): Value | undefined {
    return this.#find(toBinaryString(key))?.value;
  }

  has(key: Uint8Array): boolean {
    return this.#find(toBinaryString(key)) !== undefined;
  }

  /** This dictionary with an entry added or replaced. */
  set(key: Uint8Array, value: Value): Trie<Value, Extra> {
    const leaf = createLeaf<Value, Extra>(toBinaryString(key), this.format.width, value);
    if (!this.#root) return new Trie(this.format, leaf, 1);
    const isNew = this.#find(leaf.key) === undefined;
    return new Trie(this.format, insertLeaf(this.#root, leaf), this.size + (isNew ? 1 : 0));
  }

  /** This dictionary without an entry; itself if the key is absent. */
  delete(key: Uint8Array): Trie<Value, Extra> {
    const text = toBinaryString(key);
    if (!this.#root || !this.#find(text)) return this;
    return new Trie(this.format, removeLeaf(this.#root, text), this.size - 1);
  }

  /**
   * The entries whose key has a 0 in a bit, and those with a 1. Shares all branches. Throws a RangeError unless all keys agree in the bits
   * before it.
   */
  halves(bit: number): [Trie<Value, Extra>, Trie<Value, Extra>] {
    const root = this.#root;
    const none = Trie.empty<Value, Extra>(this.format);
    if (!root) return [none, none];
    if (root.end < bit) throw new RangeError(`keys of a dictionary differ in bit ${root.end}, before bit ${bit}`);
    if (root.end > bit || !root.left || !root.right) return bitAt(root.key, bit) ? [none, this] : [this, none];
    const left = new Trie(this.format, root.left, countLeaves(root.left));
    return [left, new Trie(this.format, root.right, this.size - left.size)];
  }

  /** This dictionary and another one, see `halves`. Throws a RangeError if there are keys of one between those of the other. */
  joined(other: Trie<Value, Extra>): Trie<Value, Extra> {
    const [left, right] = [this.#root, other.#root];
    if (!left || !right) return left ? this : other;
    const end = firstDifference(left.key, right.key, this.format.width);
    if (end >= left.end || end >= right.end || bitAt(left.key, end)) {
      throw new RangeError(
        `dictionaries that are joined must have keys that differ in one bit, got keys that agree up to bit ${end}`,
      );
    }
    return new Trie(this.format, createFork(end, left, right), this.size + other.size);
  }

  /** Entries by rising key. */
  *[Symbol.iterator](): Generator<readonly [key: Uint8Array, value: Value], void, undefined> {
    const stack = this.#root ? [this.#root] : [];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (node.left && node.right) stack.push(node.right, node.left);
      else yield [fromBinaryString(node.key), node.value as Value];
    }
  }

  /** The sum over all entries. */
  get extra(): Extra {
    return this.#root ? computeExtra(this.format, this.#root) : this.format.augmentation.empty;
  }

  /** Hash and depth of the root's cell; undefined if the dictionary is empty. */
  get rootDigest(): Digest | undefined {
    return this.#root && computeDigest(this.format, this.#root, 0);
  }

  /**
   * The root's cell with all cells below it, which are kept: after a change only those on the path to the key are built again.
   * Throws a TypeError if a value is written with a digest as reference.
   */
  rootCell(): Cell | undefined {
    return this.#root && buildNodeCell(this.format, this.#root, 0);
  }

  /**
   * The roots' cells of dictionaries that share branches, in part: the paths to keys, and pruned branches in place of all others. A branch
   * that has another label in one of them is in all of them.
   *
   * @param keys - Those in which the dictionaries differ.
   * @param written - Maps a value on the paths to the written one. Its digests become pruned branches, too.
   * @returns Undefined for each dictionary that is empty.
   */
  static partialRoots<Value, Extra>(
    tries: readonly Trie<Value, Extra>[],
    keys: Iterable<Uint8Array>,
    written: (value: Value) => Value = (value) => value,
  ): (Cell | undefined)[] {
    const roots = tries.map((trie) => trie.#root);
    const texts = new Set(Array.from(keys, toBinaryString));
    // The root of a half is within another dictionary, with another label.
    for (const root of roots) if (root) texts.add(root.key);
    const opened = new Set<Node<Value, Extra>>();
    for (const root of roots) for (const text of texts) openPath(root, text, opened);
    return tries.map((trie) => trie.#root && buildPartialCell(trie.format, trie.#root, 0, { opened, written }));
  }

  /**
   * Writes the dictionary in the form that may be empty (`HashmapE`, `HashmapAugE`).
   *
   * @param root - Its root's cell, or only the digest or a part of it. Default: `rootCell()`.
   */
  write(builder: CellBuilder, root: Digest | undefined = this.rootCell()): void {
    builder.maybeRef(root);
    this.format.augmentation.write(builder, this.extra);
  }

  #find(key: string): Node<Value, Extra> | undefined {
    let node = this.#root;
    while (node?.left) node = bitAt(key, node.end) ? node.right : node.left;
    return node?.key === key ? node : undefined;
  }
}

/** A leaf with a value, or a fork with two branches: one flat object, because a state has two nodes for each account. */
interface Node<Value, Extra> {
  /** A key below the node, as a binary string. */
  readonly key: string;
  /** The first bit in which the keys below differ; the key's width in a leaf. */
  readonly end: number;
  readonly left: Node<Value, Extra> | undefined;
  readonly right: Node<Value, Extra> | undefined;
  readonly value: Value | undefined;
  /** Computed on first access, as are hash and depth, which hold for a label that begins at bit `from`. */
  extra: Extra | undefined;
  hash: string;
  depth: number;
  from: number;
  /** Built on first access, for the same label as the digest. */
  cell: Cell | undefined;
}

function createLeaf<Value, Extra>(key: string, width: number, value: Value): Node<Value, Extra> {
  const left = undefined;
  const right = undefined;
  return { key, end: width, left, right, value, extra: undefined, hash: "", depth: 0, from: -1, cell: undefined };
}

function createFork<Value, Extra>(end: number, left: Node<Value, Extra>, right: Node<Value, Extra>): Node<Value, Extra> {
  const { key } = left;
  return { key, end, left, right, value: undefined, extra: undefined, hash: "", depth: 0, from: -1, cell: undefined };
}

function countLeaves(root: Node<unknown, unknown>): number {
  let count = 0;
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.left && node.right) stack.push(node.left, node.right);
    else count += 1;
  }
  return count;
}

function computeExtra<Value, Extra>(format: TrieFormat<Value, Extra>, node: Node<Value, Extra>): Extra {
  const { left, right } = node;
  node.extra ??=
    left && right
      ? format.augmentation.combine(computeExtra(format, left), computeExtra(format, right))
      : format.extraOf(node.value as Value);
  return node.extra as Extra;
}

/** Digest of the cell of a node whose label begins at bit `from`. */
function computeDigest<Value, Extra>(format: TrieFormat<Value, Extra>, node: Node<Value, Extra>, from: number): Digest {
  if (node.from === from) return { hash: fromBinaryString(node.hash), depth: node.depth };
  const digest = writeNode(format, node, from, computeDigest).digest();
  keepDigest(node, from, digest);
  node.cell = undefined;
  return digest;
}

function keepDigest<Value, Extra>(node: Node<Value, Extra>, from: number, { hash, depth }: Digest): void {
  node.hash = toBinaryString(hash);
  node.depth = depth;
  node.from = from;
}

function buildNodeCell<Value, Extra>(format: TrieFormat<Value, Extra>, node: Node<Value, Extra>, from: number): Cell {
  if (node.cell && node.from === from) return node.cell;
  const cell = writeNode(format, node, from, buildNodeCell).cell();
  if (node.from !== from) keepDigest(node, from, cell);
  node.cell = cell;
  return cell;
}

/** Adds the nodes on the path to a key: up to its leaf, or up to the node below which it would be added. */
function openPath<Value, Extra>(root: Node<Value, Extra> | undefined, key: string, opened: Set<Node<Value, Extra>>): void {
  for (let node = root; node; ) {
    opened.add(node);
    if (!node.left || firstDifference(node.key, key, node.end) < node.end) return;
    node = bitAt(key, node.end) ? node.right : node.left;
  }
}

interface Part<Value, Extra> {
  readonly opened: ReadonlySet<Node<Value, Extra>>;
  readonly written: (value: Value) => Value;
}

function buildPartialCell<Value, Extra>(
  format: TrieFormat<Value, Extra>,
  node: Node<Value, Extra>,
  from: number,
  part: Part<Value, Extra>,
): Cell {
  const refer = (of: TrieFormat<Value, Extra>, child: Node<Value, Extra>, start: number): Digest =>
    part.opened.has(child) ? buildPartialCell(of, child, start, part) : computeDigest(of, child, start);
  const known = node.from === from ? computeDigest(format, node, from) : undefined;
  const cell = writeNode(format, node, from, refer, part.written).prunedCell(known);
  if (!known) {
    keepDigest(node, from, { hash: cell.hashAt(0), depth: cell.depthAt(0) });
    node.cell = undefined;
  }
  return cell;
}

function writeNode<Value, Extra>(
  format: TrieFormat<Value, Extra>,
  node: Node<Value, Extra>,
  from: number,
  refer: (format: TrieFormat<Value, Extra>, node: Node<Value, Extra>, from: number) => Digest,
  written: (value: Value) => Value = (value) => value,
): CellBuilder {
  const builder = new CellBuilder();
  const { key, end, left, right } = node;
  writeLabel(builder, key, from, end, format.width - from);
  if (left && right) builder.ref(refer(format, left, end + 1)).ref(refer(format, right, end + 1));
  format.augmentation.write(builder, computeExtra(format, node));
  if (!left) format.writeValue(builder, written(node.value as Value));
  return builder;
}

function buildTree<Value, Extra>(
  leaves: readonly Node<Value, Extra>[],
  from: number,
  to: number,
  width: number,
): Node<Value, Extra> {
  const first = leaves[from] as Node<Value, Extra>;
  if (to - from === 1) return first;
  const last = leaves[to - 1] as Node<Value, Extra>;
  const end = firstDifference(first.key, last.key, width);
  if (end === width) {
    throw new RangeError(`a key of a dictionary is repeated: ${hex(fromBinaryString(first.key))}`);
  }
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bitAt((leaves[middle] as Node<Value, Extra>).key, end)) high = middle;
    else low = middle + 1;
  }
  return createFork(end, buildTree(leaves, from, low, width), buildTree(leaves, low, to, width));
}

function insertLeaf<Value, Extra>(node: Node<Value, Extra>, leaf: Node<Value, Extra>): Node<Value, Extra> {
  const parting = firstDifference(node.key, leaf.key, node.end);
  const isRight = bitAt(leaf.key, parting);
  if (parting < node.end) return isRight ? createFork(parting, node, leaf) : createFork(parting, leaf, node);
  const { left, right } = node;
  if (!left || !right) return leaf;
  return isRight ? createFork(parting, left, insertLeaf(right, leaf)) : createFork(parting, insertLeaf(left, leaf), right);
}

function removeLeaf<Value, Extra>(node: Node<Value, Extra>, key: string): Node<Value, Extra> | undefined {
  const { left, right, end } = node;
  if (!left || !right) return undefined;
  const isRight = bitAt(key, end);
  const rest = removeLeaf(isRight ? right : left, key);
  if (!rest) return isRight ? left : right;
  return isRight ? createFork(end, left, rest) : createFork(end, rest, right);
}
