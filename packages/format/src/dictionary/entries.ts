import type { Cell } from "../cells/cell.ts";
import { CellReader } from "../cells/cell-reader.ts";
import { readLabel, setBit } from "./label.ts";

/** An entry of a dictionary in cells: its key, and a reader that stands after the label (before the extra, if there is one). */
export interface Entry {
  readonly key: Uint8Array;
  readonly leaf: CellReader;
}

/**
 * Reads the entries of a dictionary (TL-B Hashmap or HashmapAug) by rising key, given its root. Pruned branches are left out.
 *
 * @param root - The root's own cell, not the one that holds it.
 * @param width - Bits of a key.
 */
export function* readEntries(root: Cell, width: number): Generator<Entry, void, undefined> {
  const stack = [{ cell: root, key: new Uint8Array((width + 7) >> 3), from: 0 }];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.cell.type !== "ordinary") continue;
    const leaf = new CellReader(node.cell);
    const end = readLabel(leaf, node.key, node.from, width - node.from);
    if (end === width) {
      yield { key: node.key, leaf };
      continue;
    }
    const left = leaf.ref();
    const right = leaf.ref();
    const rightKey = node.key.slice();
    setBit(rightKey, end);
    stack.push({ cell: right, key: rightKey, from: end + 1 }, { cell: left, key: node.key, from: end + 1 });
  }
}
