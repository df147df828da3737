import { bytesOfText, textOf } from "../cells/byte-text.ts";
import type { Cell } from "../cells/cell.ts";
import type { CellBuilder } from "../cells/cell-builder.ts";
import type { Digest } from "../cells/digest.ts";
import { bitAt, firstDifference } from "./label.ts";
import { forkNode, leafNode, nodeCell, nodeDigest, nodeExtra, type TrieFormat, type TrieNode } from "./trie-node.ts";

/**
 * A dictionary of the network (TL-B Hashmap, HashmapAug and their forms that may be empty), never changed: `set` and `delete`
 * give a new one that shares all but the path to the key. Hashes and sums of shared branches are computed once, so that a block
 * costs what it touches, whatever the number of entries.
 *
 * @example
 * const accounts = Trie.empty(SHARD_ACCOUNTS).set(address, account);
 * accounts.rootDigest?.hash;
 */
export class Trie<Value, Extra> implements Iterable<readonly [key: Uint8Array, value: Value]> {
  readonly format: TrieFormat<Value, Extra>;
  readonly size: number;
  readonly #root: TrieNode<Value, Extra> | undefined;

  private constructor(format: TrieFormat<Value, Extra>, root: TrieNode<Value, Extra> | undefined, size: number) {
    this.format = format;
    this.size = size;
    this.#root = root;
  }

  /** Without entries. */
  static empty<Value, Extra>(format: TrieFormat<Value, Extra>): Trie<Value, Extra> {
    return new Trie(format, undefined, 0);
  }

  /** Of entries in any order, in linear time where they come by rising key. Throws a RangeError where a key comes twice. */
  static from<Value, Extra>(
    format: TrieFormat<Value, Extra>,
    entries: Iterable<readonly [key: Uint8Array, value: Value]>,
  ): Trie<Value, Extra> {
    const sorted = Array.from(entries, ([key, value]) => leafNode<Value, Extra>(textOf(key), format.width, value));
    sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
    return new Trie(format, sorted.length === 0 ? undefined : built(sorted, 0, sorted.length, format.width), sorted.length);
  }

  get(key: Uint8Array): Value | undefined {
    return this.#find(textOf(key))?.value;
  }

  has(key: Uint8Array): boolean {
    return this.#find(textOf(key)) !== undefined;
  }

  /** With an entry more, or another value for its key. */
  set(key: Uint8Array, value: Value): Trie<Value, Extra> {
    const leaf = leafNode<Value, Extra>(textOf(key), this.format.width, value);
    if (!this.#root) return new Trie(this.format, leaf, 1);
    const isNew = this.#find(leaf.key) === undefined;
    return new Trie(this.format, inserted(this.#root, leaf), this.size + (isNew ? 1 : 0));
  }

  /** Without an entry; itself where there is none. */
  delete(key: Uint8Array): Trie<Value, Extra> {
    const text = textOf(key);
    if (!this.#root || !this.#find(text)) return this;
    return new Trie(this.format, removed(this.#root, text), this.size - 1);
  }

  /** By rising key. */
  *[Symbol.iterator](): Generator<readonly [key: Uint8Array, value: Value], void, undefined> {
    const stack = this.#root ? [this.#root] : [];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (node.left && node.right) stack.push(node.right, node.left);
      else yield [bytesOfText(node.key), node.value as Value];
    }
  }

  /** The sum over all entries. */
  get extra(): Extra {
    return this.#root ? nodeExtra(this.format, this.#root) : this.format.augmentation.empty;
  }

  /** Of the root's cell; undefined where the dictionary is empty. */
  get rootDigest(): Digest | undefined {
    return this.#root && nodeDigest(this.format, this.#root, 0);
  }

  /** The root's cell, with all below it. Throws a TypeError where a value is known by its digest only. */
  rootCell(): Cell | undefined {
    return this.#root && nodeCell(this.format, this.#root, 0);
  }

  /** Writes the form that may be empty (HashmapE, HashmapAugE): as cells, or as digests where a state is only to be hashed. */
  write(builder: CellBuilder, as: "cells" | "digests"): void {
    builder.maybeRef(as === "cells" ? this.rootCell() : this.rootDigest);
    this.format.augmentation.write(builder, this.extra);
  }

  #find(key: string): TrieNode<Value, Extra> | undefined {
    let node = this.#root;
    while (node?.left) node = bitAt(key, node.end) ? node.right : node.left;
    return node?.key === key ? node : undefined;
  }
}

function built<Value, Extra>(
  leaves: readonly TrieNode<Value, Extra>[],
  from: number,
  to: number,
  width: number,
): TrieNode<Value, Extra> {
  const first = leaves[from] as TrieNode<Value, Extra>;
  if (to - from === 1) return first;
  const last = leaves[to - 1] as TrieNode<Value, Extra>;
  const end = firstDifference(first.key, last.key, width);
  if (end === width)
    throw new RangeError(`a dictionary's key comes twice: ${Buffer.from(first.key, "latin1").toString("hex")}`);
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bitAt((leaves[middle] as TrieNode<Value, Extra>).key, end)) high = middle;
    else low = middle + 1;
  }
  return forkNode(end, built(leaves, from, low, width), built(leaves, low, to, width));
}

function inserted<Value, Extra>(node: TrieNode<Value, Extra>, leaf: TrieNode<Value, Extra>): TrieNode<Value, Extra> {
  const parting = firstDifference(node.key, leaf.key, node.end);
  const isRight = bitAt(leaf.key, parting);
  if (parting < node.end) return isRight ? forkNode(parting, node, leaf) : forkNode(parting, leaf, node);
  const { left, right } = node;
  if (!left || !right) return leaf;
  return isRight ? forkNode(parting, left, inserted(right, leaf)) : forkNode(parting, inserted(left, leaf), right);
}

function removed<Value, Extra>(node: TrieNode<Value, Extra>, key: string): TrieNode<Value, Extra> | undefined {
  const { left, right, end } = node;
  if (!left || !right) return undefined;
  const isRight = bitAt(key, end);
  const rest = removed(isRight ? right : left, key);
  if (!rest) return isRight ? left : right;
  return isRight ? forkNode(end, left, rest) : forkNode(end, rest, right);
}
