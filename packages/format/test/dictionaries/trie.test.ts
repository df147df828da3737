import { type Sum, walkAugmentedE, walkDictionary } from "@chain-query/testing/block-walker/dictionary";
import { applyUpdate } from "@chain-query/testing/block-walker/update";
import { assert as check, integer, property, uniqueArray } from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cell, CellBuilder, createMerkleUpdate, hex, PrunedCellError, writeBoc } from "../../src/cells/index.ts";
import { lookUp, plainFormat, readEntries, Trie, uint32Key } from "../../src/dictionaries/index.ts";
import { toCoreCell } from "../core-cell.ts";
import { applied, type Change, changes, format, WIDTHS } from "./changed-tries.ts";

const SUM: Sum<bigint> = { read: (slice) => slice.loadUintBig(64), combine: (a, b) => a + b, text: String };

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

describe("Trie", () => {
  test.each(WIDTHS)("with keys of %i bits has the entries that were set and not deleted", (width) => {
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
      { seed: 1, numRuns: 30 },
    );
  });

  test("does not change when another one is made from it", () => {
    check(
      property(changes(32), changes(32), (first, second) => {
        const trie = first.reduce(applied, Trie.empty(format(32)));
        const before = [entriesOf(trie), hex(trie.rootDigest?.hash), trie.size, trie.extra];
        const other = second.reduce(applied, trie);
        expect([entriesOf(other), other.rootDigest].length).toBe(2);
        expect([entriesOf(trie), hex(trie.rootDigest?.hash), trie.size, trie.extra]).toEqual(before);
      }),
      { seed: 1, numRuns: 30 },
    );
  });

  test("shares branches: a change costs as many nodes as its key is deep", () => {
    let written = 0;
    const counting = { ...format(64), augmentation: { ...format(64).augmentation, write: () => void written++ } };
    const keyOf = (i: number): Uint8Array => {
      const key = new Uint8Array(8);
      new DataView(key.buffer).setBigUint64(0, (BigInt(i) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn);
      return key;
    };
    const costOf = (size: number): number => {
      const trie = Trie.from(
        counting,
        Array.from({ length: size }, (_, i) => [keyOf(i), i] as const),
      );
      expect(trie.rootDigest?.depth).toBeGreaterThan(1);
      written = 0;
      expect(
        trie
          .set(keyOf(size >> 1), 1)
          .delete(keyOf(3))
          .set(keyOf(size), 1).rootDigest,
      ).toBeDefined();
      return written;
    };
    expect(costOf(500)).toBeLessThan(50);
    expect(costOf(20_000)).toBeLessThan(70);
  });

  test("is divided by a bit of its keys and joined again", () => {
    const keys = uniqueArray(integer({ min: 0, max: 255 }), { maxLength: 40 });
    check(
      property(keys, integer({ min: 0, max: 5 }), (numbers, bit) => {
        const own = numbers.map((number) => number % 2 ** (8 - bit));
        const trie = Trie.from(
          format(8),
          Array.from(new Set(own), (number) => [Uint8Array.of(number), number] as const),
        );
        const halves = trie.halves(bit);
        for (const [i, half] of halves.entries()) {
          const expected = Trie.from(
            format(8),
            [...trie].filter(([[number = 0]]) => ((number >> (7 - bit)) & 1) === i),
          );
          expect([half.size, half.extra, hex(half.rootDigest?.hash ?? Buffer.of())]).toEqual([
            ...[expected.size, expected.extra, hex(expected.rootDigest?.hash ?? Buffer.of())],
          ]);
        }
        const joined = halves[0].joined(halves[1]);
        expect([joined.size, joined.rootDigest]).toEqual([trie.size, trie.rootDigest]);
      }),
      { seed: 1 },
    );
    const trie = (...numbers: number[]) =>
      Trie.from(
        format(8),
        numbers.map((number) => [Uint8Array.of(number), number] as const),
      );
    expect(() => trie(1, 255).halves(1)).toThrow("keys of a dictionary differ in bit 0, before bit 1");
    for (const [left, right] of [
      [trie(1, 255), trie(3)],
      [trie(3), trie(1, 255)],
      [trie(128), trie(1)],
      [trie(1), trie(1)],
    ] as const) {
      expect(() => left.joined(right)).toThrow(/^dictionaries that are joined must have keys that differ in one bit/);
    }
  });

  test("keeps its cells: after a change those off the path to the key are the same", () => {
    const keyOf = (i: number) => new Uint8Array([i, 0]);
    const trie = Trie.from(
      format(16),
      Array.from({ length: 256 }, (_, i) => [keyOf(i), i] as const),
    );
    const before = trie.rootCell();
    expect(trie.rootCell()).toBe(before);
    const after = trie.set(keyOf(3), 1_000).rootCell();
    expect(after?.refs[0]).not.toBe(before?.refs[0]);
    expect(after?.refs[1]).toBe(before?.refs[1]);
  });

  test("rejects a repeated key", () => {
    const entry = [new Uint8Array([1]), 1] as const;
    expect(() => Trie.from(format(8), [entry, [new Uint8Array([2]), 1], entry])).toThrow(
      "a key of a dictionary is repeated: 01",
    );
  });

  test("returns itself if the key to delete is absent", () => {
    const trie = Trie.empty(format(8)).set(new Uint8Array([1]), 1);
    expect(trie.delete(new Uint8Array([2]))).toBe(trie);
    expect(trie.has(new Uint8Array([0]))).toBe(false);
    expect(trie.delete(new Uint8Array([1])).rootDigest).toBeUndefined();
  });
});

describe("readEntries", () => {
  test.each(WIDTHS)("reads a dictionary with keys of %i bits by rising key", (width) => {
    check(
      property(changes(width), (all) => {
        const plain = plainFormat(width, format(width).writeValue);
        const entries = all.map(({ key, value = 0 }) => [key, value] as const);
        const trie = entries.reduce((sum, [key, value]) => sum.set(key, value), Trie.empty(plain));
        const root = trie.rootCell();
        const read = root ? Array.from(readEntries(root, width), ({ key, leaf }) => [hex(key), leaf.uint(32)]) : [];
        expect(read).toEqual(Array.from(trie, ([key, value]) => [hex(key), value]));
        let walked = 0;
        if (root) walkDictionary(toCoreCell(root), width, () => void walked++);
        expect(walked).toBe(trie.size);
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  test("rejects a label that is longer than its key", () => {
    const root = new CellBuilder().uint(0b10, 2).uint(0b1111, 4).uint(0, 20).cell();
    expect(() => [...readEntries(root, 8)]).toThrow("a label of a dictionary has 15 bits where at most 8 fit");
  });
});

function inOneCell(roots: readonly (Cell | undefined)[]): Cell {
  return roots.reduce((builder, root) => builder.maybeRef(root), new CellBuilder()).cell();
}

/** Applies the update that is made from parts of dictionaries to the whole ones. */
function checkUpdate(former: readonly Trie<number, bigint>[], after: Trie<number, bigint>, all: readonly Change[]): void {
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
