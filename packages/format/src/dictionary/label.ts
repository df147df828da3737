import type { CellBuilder } from "../cells/cell-builder.ts";
import { CellError, type CellReader } from "../cells/cell-reader.ts";

/** The bytes of the key that is being written. */
const scratch: Buffer = Buffer.alloc(128);

/**
 * Writes the label of a dictionary's edge: the bits `from` … `to` of a key, where at most `longest` bits could stand (TL-B
 * HmLabel). There is one right form for each label, the shortest; of equal ones the first of short, long, same.
 *
 * @param key - As a text of bytes.
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
  scratch.write(key, "latin1");
  builder.bitsOf(scratch, from, to);
}

/** Reads a label into `key` from bit `from` on, and tells the bit after it. `longest` bits could stand. */
export function readLabel(reader: CellReader, key: Uint8Array, from: number, longest: number): number {
  const lengthBits = 32 - Math.clz32(longest);
  const form = reader.bit() ? (reader.bit() ? "same" : "long") : "short";
  const repeated = form === "same" && reader.bit();
  let length = 0;
  if (form === "short") while (reader.bit()) length += 1;
  else length = reader.uint(lengthBits);
  if (length > longest) throw new CellError(`a dictionary's label of ${length} bits stands where ${longest} fit`);
  for (let i = from; i < from + length; i++) {
    if (form === "same" ? repeated : reader.bit()) setBit(key, i);
  }
  return from + length;
}

/** The bit of a key, as a text of bytes, at a position counted from the highest bit of its first byte. */
export function bitAt(key: string, position: number): boolean {
  return ((key.charCodeAt(position >> 3) >> (7 - (position & 7))) & 1) === 1;
}

/** Sets a bit of a key. */
export function setBit(key: Uint8Array, position: number): void {
  key[position >> 3] = (key[position >> 3] as number) | (0x80 >> (position & 7));
}

/** The first bit before `to` in which two keys, as texts of bytes, differ; `to` where there is none. */
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
