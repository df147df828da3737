import { Cell as CoreCell } from "@ton/core";
import { type Arbitrary, array, assert as check, integer, property, uint8Array } from "fast-check";
import { expect } from "vitest";
import { readBoc, writeBoc } from "../../src/cells/bag-of-cells.ts";
import type { Cell } from "../../src/cells/cell.ts";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { PrunedCellError } from "../../src/cells/cell-reader.ts";
import { hex } from "../../src/cells/index.ts";
import { createMerkleProof, openMerkleProof } from "../../src/cells/merkle-proof.ts";
import { lookUp, readEntries } from "../../src/dictionaries/hashmap.ts";
import { Trie, type TrieFormat } from "../../src/dictionaries/trie.ts";
import { format } from "../dictionaries/changed-tries.ts";

/** Too large to stand in a proof unless it is read. */
export const large = (number: number): Cell => new CellBuilder().uint(number, 32).bytes(new Uint8Array(60)).cell();

/** Values in cells of their own. */
const SUMS: TrieFormat<number, bigint> = {
  ...format(16),
  writeValue: (builder, value) => {
    builder.ref(large(value));
  },
};

const keys: Arbitrary<Uint8Array> = uint8Array({ minLength: 2, maxLength: 2, max: 20 });
export const toHex = ({ key }: { key: Uint8Array }): string => hex(key);

/** The first keys, without reading any further. */
export function first(entries: Iterable<{ key: Uint8Array }>, count: number): string[] {
  const found: string[] = [];
  if (count === 0) return found;
  for (const { key } of entries) if (found.push(hex(key)) === count) break;
  return found;
}

export function dictionary(entries: readonly Uint8Array[]): Trie<number, bigint> {
  return entries.reduce((trie, key) => trie.set(key, (key[0] ?? 0) + 1), Trie.empty(SUMS));
}

/** The proof after a way through a bag of cells, which checks the hashes in it. */
export function sent(proof: Cell): Cell {
  const bytes = writeBoc(proof);
  expect(CoreCell.fromBoc(Buffer.from(bytes))[0]?.hash().toString("hex")).toBe(hex(proof.hash));
  return readBoc(bytes);
}

/** Looks up keys of dictionaries, and in proofs of that. */
export function checkLookUp(runs: number): void {
  check(
    property(array(keys, { minLength: 1, maxLength: 40 }), keys, keys, (entries, key, other) => {
      const trie = dictionary(entries);
      const root = trie.rootCell() as Cell;
      const proof = sent(createMerkleProof(root, () => lookUp(root, key, 16)));
      const shown = openMerkleProof(proof, root.hash);
      const leaf = lookUp(shown, key, 16);
      expect(leaf?.skip(64).ref().hashAt(0)).toEqual(trie.has(key) ? large(trie.get(key) as number).hash : undefined);
      // For other keys, the result is right or a PrunedCellError.
      let found: boolean | undefined;
      try {
        found = lookUp(shown, other, 16) !== undefined;
      } catch (error) {
        expect(error).toBeInstanceOf(PrunedCellError);
      }
      expect([undefined, trie.has(other)]).toContain(found);
    }),
    { seed: 1, numRuns: runs },
  );
}

/** Reads ranges of dictionaries, and of proofs of that. */
export function checkRanges(runs: number): void {
  check(
    property(array(keys, { minLength: 1, maxLength: 40 }), keys, integer({ min: 0, max: 5 }), (entries, after, count) => {
      const trie = dictionary(entries);
      const root = trie.rootCell() as Cell;
      for (const falling of [false, true]) {
        const all = Array.from(trie, ([key]) => hex(key));
        const expected = (falling ? all.reverse() : all).filter((key) => (falling ? key < hex(after) : key > hex(after)));
        expect(Array.from(readEntries(root, 16, { after, falling }), toHex)).toEqual(expected);
        expect(Array.from(readEntries(root, 16, { falling }), toHex)).toEqual(all);
        const read = (cell: Cell) => first(readEntries(cell, 16, { after, falling }), count);
        const shown = openMerkleProof(sent(createMerkleProof(root, read)), root.hash);
        if (count > 0) expect(read(shown)).toEqual(expected.slice(0, count));
      }
    }),
    { seed: 1, numRuns: runs },
  );
}
