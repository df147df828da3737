import { Cell } from "@chain-query/format/cells";

/** About the bytes of an object in the heap; of a cell, with its hash. */
const OBJECT = 100;
const CELL = 350;

/**
 * About the bytes of memory that a value keeps alive: its objects, its cells, and the whole buffers of which its bytes are parts. A cell
 * takes some 500 bytes, however few it takes in an answer. What is reached twice counts once.
 *
 * @param most - Nothing is counted beyond it, so that a large value costs no more time than one of this size.
 */
export function memoryOf(value: unknown, most: number): number {
  const seen = new Set<object>();
  const left: unknown[] = [value];
  let bytes = 0;
  while (left.length > 0 && bytes <= most) {
    const next = left.pop();
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    if (next instanceof ArrayBuffer) {
      bytes += next.byteLength;
      continue;
    }
    bytes += next instanceof Cell ? CELL : OBJECT;
    if (ArrayBuffer.isView(next)) left.push(next.buffer);
    else for (const part of Object.values(next)) left.push(part);
  }
  return bytes;
}
