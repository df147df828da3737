import { Cell, CellType } from "@ton/core";
import { must, mustEqual } from "./dictionary.ts";

/**
 * Applies a Merkle update to a tree, as nodes do: its pruned branches are taken from the tree, along the paths that the update shows. Throws if
 * one of them is not there.
 */
export function applyUpdate(update: Cell, tree: Cell): Cell {
  const [before, after] = update.refs as [Cell, Cell];
  mustEqual(tree.hash(0).toString("hex"), before.hash(0).toString("hex"), "the tree before a Merkle update");
  const known = new Map<string, Cell>();
  collect(before, tree, known);
  return completed(after, known);
}

function collect(shown: Cell, tree: Cell, known: Map<string, Cell>, seen: Set<Cell> = new Set()): void {
  if (seen.has(shown)) return;
  seen.add(shown);
  known.set(shown.hash(0).toString("hex"), tree);
  if (shown.isExotic) return;
  for (const [i, ref] of shown.refs.entries()) collect(ref, tree.refs[i] as Cell, known, seen);
}

function completed(cell: Cell, known: ReadonlyMap<string, Cell>): Cell {
  if (cell.type === CellType.PrunedBranch) {
    const found = known.get(cell.hash(0).toString("hex"));
    must(found !== undefined, "a Merkle update has a pruned branch in its new tree that is not in its old one");
    return found;
  }
  const refs = cell.refs.map((ref) => completed(ref, known));
  return refs.every((ref, i) => ref === cell.refs[i]) ? cell : new Cell({ bits: cell.bits, refs, exotic: cell.isExotic });
}
