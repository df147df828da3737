import { applyUpdate } from "@chain-query/testing/block-walker/update";
import { assert as check, property } from "fast-check";
import { expect, test } from "vitest";
import { type Cell, CellBuilder, createMerkleUpdate, hex, PrunedCellError, writeBoc } from "../../src/cells/index.ts";
import { lookUp, uint32Key } from "../../src/dictionaries/hashmap.ts";
import { Trie } from "../../src/dictionaries/trie.ts";
import { toCoreCell } from "../core-cell.ts";
import { applied, type Change, changes, format } from "./changed-tries.ts";

type AnyTrie = Trie<number, bigint>;

function inOneCell(roots: readonly (Cell | undefined)[]): Cell {
  return roots.reduce((builder, root) => builder.maybeRef(root), new CellBuilder()).cell();
}

/** Applies the update that is made from parts of dictionaries to the whole ones. */
function checkUpdate(former: readonly AnyTrie[], after: AnyTrie, all: readonly Change[]): void {
  const keys = all.map(({ key }) => key);
  const parts = Trie.partialRoots([...former, after], keys);
  const update = createMerkleUpdate(inOneCell(parts.slice(0, -1)), inOneCell(parts.slice(-1)));
  const whole = inOneCell(former.map((trie) => trie.rootCell()));
  const applied = applyUpdate(toCoreCell(update), toCoreCell(whole));
  expect(applied.hash().toString("hex")).toBe(hex(inOneCell([after.rootCell()]).hash));
}

test("parts of dictionaries lead from one to the other, also if it is divided or joined", () => {
  check(
    property(changes(16), changes(16), (first, then) => {
      const trie = first.reduce(applied, Trie.empty(format(16)));
      const [left, right] = trie.halves(0);
      checkUpdate([trie], then.reduce(applied, trie), then);
      const inRight = then.filter(({ key: [byte = 0] }) => byte >= 0x80);
      checkUpdate([trie], inRight.reduce(applied, right), inRight);
      checkUpdate([left, right], then.reduce(applied, left.joined(right)), then);
    }),
    { seed: 1, numRuns: 60 },
  );
});

test("parts of dictionaries have the path to a key, and pruned branches beside it", () => {
  const keyOf = (i: number) => uint32Key((i * 0x9e3779b1) % 2 ** 32);
  const trie = Trie.from(
    format(32),
    Array.from({ length: 4_096 }, (_, i) => [keyOf(i), i] as const),
  );
  const parts = Trie.partialRoots([trie, trie.set(keyOf(7), 1_000)], [keyOf(7)]) as Cell[];
  expect(parts.map((root) => lookUp(root, keyOf(7), 32)?.skip(64).uint(32))).toEqual([7, 1_000]);
  for (const root of parts) {
    expect(() => lookUp(root, keyOf(2_000), 32)).toThrow(PrunedCellError);
    expect(writeBoc(root).length).toBeLessThan(3_000);
  }
});
