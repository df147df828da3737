import { type Sum, walkAugmentedE } from "@chain-query/testing/block-walker/dictionary";
import { type Arbitrary, array, assert as check, constantFrom, integer, oneof, property, record, uint8Array } from "fast-check";
import { expect } from "vitest";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { hex } from "../../src/cells/index.ts";
import type { TrieFormat } from "../../src/dictionaries/trie.ts";
import { Trie } from "../../src/dictionaries/trie.ts";
import { toCoreCell } from "../core-cell.ts";

export const WIDTHS: readonly number[] = [8, 32, 64, 256, 352];

/** Values of 32 bits; the extra is their sum. */
export function format(width: number): TrieFormat<number, bigint> {
  return {
    width,
    augmentation: {
      empty: 0n,
      combine: (left, right) => left + right,
      write: (builder, sum) => {
        builder.bigUint(sum, 64);
      },
    },
    extraOf: BigInt,
    writeValue: (builder, value) => {
      builder.uint(value, 32);
    },
  };
}

const SUM: Sum<bigint> = { read: (slice) => slice.loadUintBig(64), combine: (a, b) => a + b, text: String };

/** An entry to set or to delete. Keys differ in few bits, so that they collide and share long prefixes. */
export interface Change {
  readonly key: Uint8Array;
  readonly value: number | undefined;
}

export function changes(width: number): Arbitrary<readonly Change[]> {
  const bytes = width / 8;
  const keys = oneof(
    uint8Array({ minLength: bytes, maxLength: bytes }),
    record({ at: integer({ min: 0, max: bytes - 1 }), bit: integer({ min: 0, max: 7 }), rest: constantFrom(0, 255) }).map(
      ({ at, bit, rest }) => {
        const key = new Uint8Array(bytes).fill(rest);
        key[at] = rest ^ (1 << bit);
        return key;
      },
    ),
  );
  const values = oneof(
    { weight: 3, arbitrary: integer({ min: 0, max: 2 ** 32 - 1 }) },
    { weight: 1, arbitrary: constantFrom(undefined) },
  );
  return array(record({ key: keys, value: values }), { maxLength: 40 });
}

export function applied(trie: Trie<number, bigint>, { key, value }: Change): Trie<number, bigint> {
  return value === undefined ? trie.delete(key) : trie.set(key, value);
}

/** The entries as the independent reader finds them; it checks every sum. */
function entriesOf(trie: Trie<number, bigint>): [string, number][] {
  const builder = new CellBuilder();
  trie.write(builder);
  const entries: [string, number][] = [];
  walkAugmentedE(toCoreCell(builder.cell()).beginParse(), trie.format.width, SUM, 0n, (key, slice) => {
    const value = slice.loadUint(32);
    entries.push([key.toString(16).padStart(trie.format.width / 4, "0"), value]);
    return BigInt(value);
  });
  return entries;
}

/** Sets and deletes entries, one by one and all at once. */
export function checkChanges(width: number, runs: number): void {
  check(
    property(changes(width), (all) => {
      const expected = new Map<string, Change>();
      let trie = Trie.empty(format(width));
      for (const change of all) {
        trie = applied(trie, change);
        if (change.value === undefined) expected.delete(hex(change.key));
        else expected.set(hex(change.key), change);
        // Hashes computed in between are kept in the branches that are shared.
        if (change.key.some((byte) => byte === 0)) expect(hex(trie.rootDigest?.hash)).toBe(hex(trie.rootCell()?.hash));
      }
      const sorted = [...expected].sort(([a], [b]) => (a < b ? -1 : 1));
      const bulk = Trie.from(
        format(width),
        [...expected.values()].map(({ key, value = 0 }) => [key, value] as const),
      );
      expect(entriesOf(trie)).toEqual(sorted.map(([key, { value }]) => [key, value]));
      expect(Array.from(trie, ([key, value]) => [hex(key), value])).toEqual(entriesOf(trie));
      expect(trie.size).toBe(expected.size);
      expect(trie.extra).toBe(sorted.reduce((sum, [, { value = 0 }]) => sum + BigInt(value), 0n));
      expect(hex(trie.rootDigest?.hash)).toBe(hex(bulk.rootCell()?.hash));
      expect(trie.rootDigest?.depth).toBe(bulk.rootCell()?.depth);
      for (const { key } of all) expect(trie.get(key)).toBe(expected.get(hex(key))?.value);
    }),
    { seed: 1, numRuns: runs },
  );
}

/** Makes a trie from another one, which stays as it was. */
export function checkIndependence(runs: number): void {
  check(
    property(changes(32), changes(32), (first, second) => {
      const trie = first.reduce(applied, Trie.empty(format(32)));
      const before = [entriesOf(trie), hex(trie.rootDigest?.hash), trie.size, trie.extra];
      const other = second.reduce(applied, trie);
      expect([entriesOf(other), other.rootDigest].length).toBe(2);
      expect([entriesOf(trie), hex(trie.rootDigest?.hash), trie.size, trie.extra]).toEqual(before);
    }),
    { seed: 1, numRuns: runs },
  );
}
