import type { Cell } from "./cell.ts";
import { crc32c } from "./crc32c.ts";
import { dataDescriptor } from "./representation.ts";

/**
 * Writes a bag of cells with one root and a checksum, without an index. Equal cells are written once; the order is the one of
 * `@ton/core`, so that its `toBoc` gives the same bytes.
 */
export function writeBoc(root: Cell): Uint8Array {
  const cells = orderedCells(root);
  const refSize = bytesFor(cells.length);
  let length = 0;
  for (const { cell } of cells) length += 2 + cell.bytes.length + cell.refs.length * refSize;
  const offsetSize = bytesFor(length);
  const head = 6 + 4 * refSize + offsetSize;
  const bytes = Buffer.allocUnsafeSlow(head + length + 4);
  bytes.writeUInt32BE(0xb5ee9c72);
  bytes[4] = 0x40 | refSize;
  bytes[5] = offsetSize;
  let at = bytes.writeUIntBE(cells.length, 6, refSize);
  at = bytes.writeUIntBE(1, at, refSize);
  at = bytes.writeUIntBE(0, at, refSize);
  at = bytes.writeUIntBE(length, at, offsetSize);
  at = bytes.writeUIntBE(0, at, refSize);
  for (const { cell, refs } of cells) {
    bytes[at++] = cell.refs.length + (cell.type === "ordinary" ? 0 : 8) + 32 * cell.levelMask;
    bytes[at++] = dataDescriptor(cell.bitLength);
    bytes.set(cell.bytes, at);
    at += cell.bytes.length;
    for (const ref of refs) at = bytes.writeUIntBE(cells.length - 1 - ref.order, at, refSize);
  }
  bytes.writeUInt32LE(crc32c(bytes.subarray(0, at)), at);
  return bytes;
}

/** A cell on its way into a bag. `order` counts from the last; `next` is another one whose hash begins alike. */
interface Placed {
  readonly cell: Cell;
  readonly refs: Placed[];
  readonly next: Placed | undefined;
  order: number;
}

/** Every cell before those that it refers to: depth first, the last reference first, then turned round. */
function orderedCells(root: Cell): Placed[] {
  const byBeginning = new Map<number, Placed>();
  const ordered: Placed[] = [];
  const place = (cell: Cell): Placed => {
    const beginning = beginningOf(cell.hash);
    const next = byBeginning.get(beginning);
    for (let seen = next; seen; seen = seen.next) if (isSame(seen.cell, cell)) return seen;
    const { length } = cell.refs;
    const placed: Placed = { cell, refs: new Array<Placed>(length), next, order: 0 };
    byBeginning.set(beginning, placed);
    for (let i = length - 1; i >= 0; i--) placed.refs[i] = place(cell.refs[i] as Cell);
    placed.order = ordered.push(placed) - 1;
    return placed;
  };
  place(root);
  return ordered.reverse();
}

/** 30 bits of a hash: what a Map takes as a number without making an object of it. */
function beginningOf(hash: Uint8Array): number {
  return ((hash[0] as number) << 22) | ((hash[1] as number) << 14) | ((hash[2] as number) << 6) | ((hash[3] as number) >> 2);
}

function isSame(a: Cell, b: Cell): boolean {
  if (a === b) return true;
  const [one, other] = [a.hash, b.hash];
  for (let i = 0; i < 32; i++) if (one[i] !== other[i]) return false;
  return true;
}

function bytesFor(value: number): number {
  return Math.max(1, Math.ceil((32 - Math.clz32(value)) / 8));
}
