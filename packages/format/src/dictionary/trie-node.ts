import { bytesOfText, textOf } from "../cells/byte-text.ts";
import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import type { Digest } from "../cells/digest.ts";
import { writeLabel } from "./label.ts";

/** What every node of an augmented dictionary carries besides: a sum over all that lies below it. */
export interface Augmentation<Extra> {
  readonly empty: Extra;
  combine(left: Extra, right: Extra): Extra;
  write(builder: CellBuilder, extra: Extra): void;
}

/** How the values of a dictionary stand in cells. */
export interface TrieFormat<Value, Extra> {
  /** Bits of a key. */
  readonly width: number;
  readonly augmentation: Augmentation<Extra>;
  extraOf(value: Value): Extra;
  writeValue(builder: CellBuilder, value: Value): void;
}

/** For dictionaries without extras. */
export const UNAUGMENTED: Augmentation<undefined> = {
  empty: undefined,
  combine: () => undefined,
  write: () => undefined,
};

/**
 * A value, or two branches. One flat object, because a state has two for each of its accounts. `key` is one of the keys below, as a
 * text of bytes; `end` the first bit in which they differ, or the key's width.
 */
export interface TrieNode<Value, Extra> {
  readonly key: string;
  readonly end: number;
  readonly left: TrieNode<Value, Extra> | undefined;
  readonly right: TrieNode<Value, Extra> | undefined;
  readonly value: Value | undefined;
  /** What follows from the rest, filled in when first asked for. Hash and depth are those with a label that begins at `from`. */
  extra: Extra | undefined;
  hash: string;
  depth: number;
  from: number;
}

export function leafNode<Value, Extra>(key: string, width: number, value: Value): TrieNode<Value, Extra> {
  return { key, end: width, left: undefined, right: undefined, value, extra: undefined, hash: "", depth: 0, from: -1 };
}

export function forkNode<Value, Extra>(
  end: number,
  left: TrieNode<Value, Extra>,
  right: TrieNode<Value, Extra>,
): TrieNode<Value, Extra> {
  return { key: left.key, end, left, right, value: undefined, extra: undefined, hash: "", depth: 0, from: -1 };
}

/** The sum over all values below a node. */
export function nodeExtra<Value, Extra>(format: TrieFormat<Value, Extra>, node: TrieNode<Value, Extra>): Extra {
  const { left, right } = node;
  node.extra ??=
    left && right
      ? format.augmentation.combine(nodeExtra(format, left), nodeExtra(format, right))
      : format.extraOf(node.value as Value);
  return node.extra as Extra;
}

/** Digest of the cell of a node whose label begins at bit `from`. Costs only what was never asked for. */
export function nodeDigest<Value, Extra>(format: TrieFormat<Value, Extra>, node: TrieNode<Value, Extra>, from: number): Digest {
  if (node.from === from) return { hash: bytesOfText(node.hash), depth: node.depth };
  const digest = writeNode(format, node, from, nodeDigest).digest();
  node.hash = textOf(digest.hash);
  node.depth = digest.depth;
  node.from = from;
  return digest;
}

/** The cell of a node whose label begins at bit `from`. Throws a TypeError where a value refers to a digest. */
export function nodeCell<Value, Extra>(format: TrieFormat<Value, Extra>, node: TrieNode<Value, Extra>, from: number): Cell {
  return writeNode(format, node, from, nodeCell).cell();
}

function writeNode<Value, Extra>(
  format: TrieFormat<Value, Extra>,
  node: TrieNode<Value, Extra>,
  from: number,
  refer: (format: TrieFormat<Value, Extra>, node: TrieNode<Value, Extra>, from: number) => Digest,
): CellBuilder {
  const builder = new CellBuilder();
  const { key, end, left, right } = node;
  writeLabel(builder, key, from, end, format.width - from);
  if (left && right) builder.ref(refer(format, left, end + 1)).ref(refer(format, right, end + 1));
  format.augmentation.write(builder, nodeExtra(format, node));
  if (!left) format.writeValue(builder, node.value as Value);
  return builder;
}
