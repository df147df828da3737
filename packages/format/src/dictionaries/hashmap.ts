import type { Cell } from "../cells/cell.ts";
import type { CellBuilder } from "../cells/cell-builder.ts";
import { CellError, CellReader } from "../cells/cell-reader.ts";

/** An entry of a dictionary in cells. */
export interface Entry {
  readonly key: Uint8Array;
  /** The rest of the leaf after its label: the value, in an augmented dictionary with the extra before it. */
  readonly leaf: CellReader;
}

/** The part of a dictionary to read. */
export interface EntryRange {
  /** Only entries after this key in the order of reading. */
  readonly after?: Uint8Array | undefined;
  /** From the highest key to the lowest. */
  readonly falling?: boolean | undefined;
}

/**
 * Reads the entries of a dictionary by rising key. Nodes without entries of the range are not touched.
 *
 * TL-B `hm_edge#_ {n:#} {X:Type} {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapNode m X) = Hashmap n X`, and
 * `HashmapAug n X Y` with an extra of type Y before each value and after each fork.
 *
 * @param root - The cell of the root itself, not the cell that refers to it.
 * @param width - Bits of a key.
 * @throws PrunedCellError as soon as a node of the range is a pruned branch: in a proof an entry that is not shown may exist.
 * @throws CellError if a cell is not a node of such a dictionary.
 *
 * @example
 * for (const { key, leaf } of readEntries(config, 32)) parameters.set(new DataView(key.buffer).getInt32(0), leaf.ref());
 */
export function* readEntries(
  root: Cell,
  width: number,
  { after, falling = false }: EntryRange = {},
): Generator<Entry, void, undefined> {
  const mayFollow = (key: Uint8Array, bits: number): boolean => {
    const order = after ? compareBits(key, after, bits) : 0;
    return order === 0 || order > 0 !== falling;
  };
  const stack = [{ cell: root, key: new Uint8Array((width + 7) >> 3), from: 0 }];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const leaf = readNode(node.cell);
    const end = readLabel(leaf, node.key, node.from, width - node.from);
    if (end === width) {
      const order = after ? compareBits(node.key, after, width) : 1;
      if (!after || (order !== 0 && order > 0 !== falling)) yield { key: node.key, leaf };
      continue;
    }
    const left = { cell: leaf.ref(), key: node.key, from: end + 1 };
    const right = { cell: leaf.ref(), key: node.key.slice(), from: end + 1 };
    setBit(right.key, end);
    // The last one is read first.
    for (const branch of falling ? [left, right] : [right, left]) if (mayFollow(branch.key, branch.from)) stack.push(branch);
  }
}

/**
 * Looks up an entry of a dictionary, and reads no cells but those on the path to it. Returns the leaf after its label, see `Entry`.
 *
 * @param root - The cell of the root itself, not the cell that refers to it.
 * @param width - Bits of a key.
 * @returns Undefined if the dictionary does not have the key, which is certain in a proof, too.
 * @throws PrunedCellError if the path to the key ends at a pruned branch: a proof that does not show whether the entry exists.
 * @throws CellError if a cell is not a node of such a dictionary.
 *
 * @example
 * const leaf = lookUp(config, uint32Key(34), 32);
 * if (leaf) console.log(leaf.ref().hash);
 */
export function lookUp(root: Cell, key: Uint8Array, width: number): CellReader | undefined {
  if (key.length * 8 < width) throw new RangeError(`a key must have ${width} bits, got ${key.length * 8}`);
  const path = new Uint8Array(key.length);
  let cell = root;
  for (let from = 0; ; ) {
    const node = readNode(cell);
    const end = readLabel(node, path, from, width - from);
    if (compareBits(path, key, end) !== 0) return undefined;
    if (end === width) return node;
    const left = node.ref();
    const right = node.ref();
    const isRight = hasBit(key, end);
    cell = isRight ? right : left;
    if (isRight) setBit(path, end);
    from = end + 1;
  }
}

function readNode(cell: Cell): CellReader {
  const node = new CellReader(cell);
  if (cell.type !== "ordinary") throw new CellError(`a node of a dictionary is a cell of type ${cell.type}`);
  return node;
}

/** Compares the first `bits` bits of two keys: below 0, 0 or above 0. */
function compareBits(a: Uint8Array, b: Uint8Array, bits: number): number {
  for (let i = 0; i * 8 < bits; i++) {
    const unused = Math.max(0, i * 8 + 8 - bits);
    const difference = ((a[i] as number) >> unused) - ((b[i] as number) >> unused);
    if (difference !== 0) return difference;
  }
  return 0;
}

function hasBit(key: Uint8Array, position: number): boolean {
  return (((key[position >> 3] as number) >> (7 - (position & 7))) & 1) === 1;
}

/** Reads a label into `key` from bit `from` on, and returns the position after it. At most `longest` bits fit. */
function readLabel(reader: CellReader, key: Uint8Array, from: number, longest: number): number {
  const lengthBits = 32 - Math.clz32(longest);
  const form = reader.bit() ? (reader.bit() ? "same" : "long") : "short";
  const repeated = form === "same" && reader.bit();
  let length = 0;
  if (form === "short") while (reader.bit()) length += 1;
  else length = reader.uint(lengthBits);
  if (length > longest) throw new CellError(`a label of a dictionary has ${length} bits where at most ${longest} fit`);
  for (let i = from; i < from + length; i++) {
    if (form === "same" ? repeated : reader.bit()) setBit(key, i);
  }
  return from + length;
}

function setBit(key: Uint8Array, position: number): void {
  key[position >> 3] = (key[position >> 3] as number) | (0x80 >> (position & 7));
}

/** The bytes of the key that is being written. */
const scratch: Uint8Array = /* @__PURE__ */ new Uint8Array(128);

/**
 * Writes the bits `from` … `to` of a key as a label where at most `longest` bits fit. The shortest form is the only valid one; of
 * forms with equal length the first of short, long, same.
 *
 * TL-B `hml_short$0 len:(Unary ~n) s:(n * Bit)`, `hml_long$10 n:(#<= m) s:(n * Bit)`, `hml_same$11 v:Bit n:(#<= m)`.
 *
 * @param key - A binary string.
 */
export function writeLabel(builder: CellBuilder, key: string, from: number, to: number, longest: number): void {
  const length = to - from;
  const lengthBits = 32 - Math.clz32(longest);
  if (length > 1 && lengthBits < 2 * length - 1 && isRepeated(key, from, to)) {
    builder.uint(3, 2).bit(bitAt(key, from)).uint(length, lengthBits);
    return;
  }
  if (lengthBits < length) builder.uint(2, 2).uint(length, lengthBits);
  else builder.uint(2 ** (length + 1) - 2, length + 2);
  for (let i = from >> 3; i * 8 < to; i++) scratch[i] = key.charCodeAt(i);
  builder.bitsOf(scratch, from, to);
}

/** The bit of a key (a binary string) at a position counted from the highest bit of its first byte. */
export function bitAt(key: string, position: number): boolean {
  return ((key.charCodeAt(position >> 3) >> (7 - (position & 7))) & 1) === 1;
}

/** The first bit before `to` in which two keys (binary strings) differ; `to` if they agree. */
export function firstDifference(a: string, b: string, to: number): number {
  const end = (to + 7) >> 3;
  for (let i = 0; i < end; i++) {
    const difference = a.charCodeAt(i) ^ b.charCodeAt(i);
    if (difference !== 0) return Math.min(to, i * 8 + Math.clz32(difference) - 24);
  }
  return to;
}

function isRepeated(key: string, from: number, to: number): boolean {
  const first = bitAt(key, from);
  for (let i = from + 1; i < to; i++) if (bitAt(key, i) !== first) return false;
  return true;
}

/** A 32-bit number as the key of a dictionary, such as a currency's id or a sequence number. */
export function uint32Key(value: number): Uint8Array {
  const key = new Uint8Array(4);
  new DataView(key.buffer).setUint32(0, value);
  return key;
}
