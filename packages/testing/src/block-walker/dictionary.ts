import { type Cell, CellType, type Slice } from "@ton/core";

/** Throws unless the condition is true: a block or a state does not conform to its scheme. */
export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Throws unless both values have the same text. */
export function mustEqual(found: unknown, expected: unknown, what: string): void {
  must(String(found) === String(expected), `${what} is ${found}, expected ${expected}`);
}

/** How to read and to check the extra of an augmented dictionary. */
export interface Sum<E> {
  read(slice: Slice): E;
  combine(left: E, right: E): E;
  text(extra: E): string;
}

const NO_SUM: Sum<undefined> = { read: () => undefined, combine: () => undefined, text: () => "" };

/** Walks a Hashmap from its root cell. Calls `leaf` with each key, as a number, and the slice after the label. */
export function walkDictionary(root: Cell, width: number, leaf: (key: bigint, slice: Slice) => void): void {
  walkNode(root.beginParse(), width, 0n, 0, NO_SUM, (key, slice) => {
    leaf(key, slice);
    return undefined;
  });
}

/**
 * Walks a HashmapAug from its inline root, and returns the extra of the root. `leaf` reads a value and returns the extra that its
 * entry must have, or undefined if that does not follow from the value. Throws if an extra is not the sum of those below it,
 * or if a label does not have its shortest form.
 */
export function walkAugmented<E>(
  root: Slice,
  width: number,
  sum: Sum<E>,
  leaf: (key: bigint, slice: Slice) => E | undefined,
): E {
  return walkNode(root, width, 0n, 0, sum, leaf);
}

/** Walks a HashmapAugE, which repeats the extra of the root after the reference to it. */
export function walkAugmentedE<E>(
  slice: Slice,
  width: number,
  sum: Sum<E>,
  empty: E,
  leaf: (key: bigint, slice: Slice) => E | undefined,
): E {
  const total = slice.loadBit() ? walkAugmented(slice.loadRef().beginParse(), width, sum, leaf) : empty;
  mustEqual(sum.text(sum.read(slice)), sum.text(total), "extra of a dictionary");
  return total;
}

function walkNode<E>(
  slice: Slice,
  width: number,
  prefix: bigint,
  depth: number,
  sum: Sum<E>,
  leaf: (key: bigint, slice: Slice) => E | undefined,
): E {
  const { label, length } = readLabel(slice, width - depth);
  const key = (prefix << BigInt(length)) | label;
  const end = depth + length;
  if (end === width) {
    const extra = sum.read(slice);
    const expected = leaf(key, slice);
    if (expected !== undefined) mustEqual(sum.text(extra), sum.text(expected), `extra of entry ${key.toString(16)}`);
    return extra;
  }
  const [left, right] = [slice.loadRef(), slice.loadRef()].map((cell, bit) => {
    must(cell.type === CellType.Ordinary, "a branch of a dictionary is pruned");
    return walkNode(cell.beginParse(), width, (key << 1n) | BigInt(bit), end + 1, sum, leaf);
  });
  const extra = sum.read(slice);
  mustEqual(sum.text(extra), sum.text(sum.combine(left as E, right as E)), "sum of a fork");
  if (depth > 0) mustEqual(slice.remainingBits + slice.remainingRefs, 0, "rest after a fork");
  return extra;
}

/** HmLabel. Throws if it does not have its shortest form. */
function readLabel(slice: Slice, longest: number): { label: bigint; length: number } {
  const before = slice.remainingBits;
  const lengthBits = longest.toString(2).length * (longest === 0 ? 0 : 1);
  const form = slice.loadBit() ? slice.loadUint(1) : "short";
  const repeated = form === 1 && slice.loadBit();
  let length = 0;
  if (form === "short") while (slice.loadBit()) length += 1;
  else length = slice.loadUint(lengthBits);
  const ones = (1n << BigInt(length)) - 1n;
  const label = form === 1 ? (repeated ? ones : 0n) : slice.loadUintBig(length);
  must(length <= longest, `a label has ${length} bits where ${longest} fit`);
  const isRepeated = label === 0n || label === ones;
  const shortest = Math.min(2 * length + 2, 2 + lengthBits + length, isRepeated ? 3 + lengthBits : Number.POSITIVE_INFINITY);
  mustEqual(before - slice.remainingBits, shortest, "bits of a label");
  return { label, length };
}
