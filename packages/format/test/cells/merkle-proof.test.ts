import { Cell as CoreCell } from "@ton/core";
import { type Arbitrary, array, assert as check, integer, property, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { readBoc, writeBoc } from "../../src/cells/bag-of-cells.ts";
import { Cell } from "../../src/cells/cell.ts";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { CellError, CellReader, PrunedCellError } from "../../src/cells/cell-reader.ts";
import { hex } from "../../src/cells/index.ts";
import { createMerkleUpdate, readMerkleUpdate } from "../../src/cells/merkle.ts";
import { createMerkleProof, mergeTrees, openMerkleProof } from "../../src/cells/merkle-proof.ts";
import { createPrunedBranch } from "../../src/cells/pruned-branch.ts";
import { lookUp, readEntries } from "../../src/dictionaries/hashmap.ts";
import { Trie, type TrieFormat } from "../../src/dictionaries/trie.ts";
import { format } from "../dictionaries/changed-tries.ts";

/** Too large to stand in a proof unless it is read. */
const large = (number: number): Cell => new CellBuilder().uint(number, 32).bytes(new Uint8Array(60)).cell();

/** Values in cells of their own. */
const SUMS: TrieFormat<number, bigint> = {
  ...format(16),
  writeValue: (builder, value) => builder.ref(large(value)),
};

const keys: Arbitrary<Uint8Array> = uint8Array({ minLength: 2, maxLength: 2, max: 20 });
const toHex = ({ key }: { key: Uint8Array }): string => hex(key);

/** The first keys, without reading any further. */
function first(entries: Iterable<{ key: Uint8Array }>, count: number): string[] {
  const found: string[] = [];
  if (count === 0) return found;
  for (const { key } of entries) if (found.push(hex(key)) === count) break;
  return found;
}

test("merged trees show what each of them shows, and have the same hash", () => {
  const all = Array.from({ length: 20 }, (_, i) => Uint8Array.of(i, i));
  const root = dictionary(all).rootCell() ?? expect.unreachable();
  const shownOf = (some: readonly Uint8Array[]): Cell => {
    const proof = createMerkleProof(root, (cell) => {
      for (const key of some) new CellReader(lookUp(cell, key, 16)?.ref() ?? expect.unreachable());
    });
    return openMerkleProof(proof, root.hash);
  };
  const [ones, others] = [all.slice(0, 3), all.slice(2, 6)];
  const merged = mergeTrees([shownOf(ones), shownOf(others), shownOf([])]);
  expect(merged.hashAt(0)).toEqual(root.hash);
  expect(merged.hash).toEqual(shownOf([...ones, ...others]).hash);
});

function dictionary(entries: readonly Uint8Array[]): Trie<number, bigint> {
  return entries.reduce((trie, key) => trie.set(key, (key[0] ?? 0) + 1), Trie.empty(SUMS));
}

/** The proof after a way through a bag of cells, which checks the hashes in it. */
function sent(proof: Cell): Cell {
  const bytes = writeBoc(proof);
  expect(CoreCell.fromBoc(Buffer.from(bytes))[0]?.hash().toString("hex")).toBe(hex(proof.hash));
  return readBoc(bytes);
}

const tree = new CellBuilder()
  .uint(1, 9)
  .ref(new CellBuilder().uint(2, 32).ref(large(3)).cell())
  .ref(new CellBuilder().uint(4, 32).ref(large(5)).cell())
  .cell();

describe("createMerkleProof", () => {
  test("keeps the cells that the reading touches, and the subtrees to keep", () => {
    const proof = createMerkleProof(tree, (root, keep) => {
      const reader = new CellReader(root);
      new CellReader(reader.ref()).uint(32);
      keep(reader.ref());
    });
    const shown = openMerkleProof(sent(proof), tree.hash);
    expect(shown.refs.map(({ type }) => type)).toEqual(["ordinary", "ordinary"]);
    expect(shown.refs.map(({ refs }) => refs[0]?.type)).toEqual(["pruned", "ordinary"]);
    expect(hex(shown.hashAt(0))).toBe(hex(tree.hash));
    expect(proof.levelMask).toBe(0);
  });

  test("of a reading that touches nothing has only the root's hash", () => {
    const proof = sent(createMerkleProof(tree, () => undefined));
    expect(proof.refs[0]?.type).toBe("pruned");
    expect(hex(openMerkleProof(proof, tree.hash).hashAt(0))).toBe(hex(tree.hash));
  });

  test("prunes within a Merkle update one level higher", () => {
    const update = createMerkleUpdate(tree, tree.refs[0] as Cell);
    const block = new CellBuilder().ref(update).ref(tree).cell();
    const proof = createMerkleProof(block, (root) => readMerkleUpdate(new CellReader(root).ref()));
    const shown = openMerkleProof(sent(proof), block.hash);
    const found = readMerkleUpdate(shown.refs[0] as Cell);
    expect([hex(found.oldHash), hex(found.newHash)]).toEqual([hex(tree.hash), hex(tree.refs[0]?.hash ?? tree.hash)]);

    // With a whole tree in the update, as another implementation may write it.
    const full = new Cell(update.bytes, update.bitLength, [tree, tree.refs[0] as Cell], "update");
    const whole = new CellBuilder().ref(full).cell();
    const short = createMerkleProof(whole, (root) => readMerkleUpdate(new CellReader(root).ref()));
    // @ton/core does not read a pruned branch of level 2 alone.
    const [before] = openMerkleProof(readBoc(writeBoc(short)), whole.hash).refs[0]?.refs ?? [];
    expect([before?.type, before?.levelMask]).toEqual(["pruned", 2]);
  });

  test("proves a tree that is pruned itself, with the same bytes as from the whole tree", () => {
    const readLeft = (root: Cell) => void new CellReader(new CellReader(root).ref());
    const shown = openMerkleProof(createMerkleProof(tree, readLeft), tree.hash);
    expect(shown.levelMask).toBe(1);
    for (const read of [readLeft, (root: Cell) => void new CellReader(root), () => undefined]) {
      expect(hex(createMerkleProof(shown, read).hash)).toBe(hex(createMerkleProof(tree, read).hash));
    }
    expect(() => createMerkleProof(shown, (root) => new CellReader(root.refs[1] as Cell))).toThrow(PrunedCellError);
  });

  test("does not prove a tree that is pruned for two Merkle cells around it", () => {
    const deep = new CellBuilder().ref(createPrunedBranch(tree, 2)).cell();
    expect(() => createMerkleProof(deep, () => undefined)).toThrow(
      new RangeError("the root of a tree to prove has level mask 2, expected 0 or 1"),
    );
  });

  test("records its own reading, whether another proof is made or fails meanwhile", () => {
    const proof = createMerkleProof(tree, (root) => {
      createMerkleProof(large(1), (other) => new CellReader(other));
      expect(() => createMerkleProof(tree, (other) => new CellReader(new CellReader(other).ref()).bytes(40))).toThrow(
        CellError,
      );
      new CellReader(root);
    });
    expect(proof.refs[0]?.type).toBe("ordinary");
    expect(proof.refs[0]?.refs[0]?.type).toBe("pruned");
  });
});

describe("openMerkleProof", () => {
  test("rejects a proof of another tree, and other cells", () => {
    const proof = createMerkleProof(tree, (root) => new CellReader(root));
    expect(() => openMerkleProof(proof, large(1).hash)).toThrow(
      new CellError(`a Merkle proof must prove the tree ${hex(large(1).hash)}, got ${hex(tree.hash)}`),
    );
    expect(() => openMerkleProof(tree, tree.hash)).toThrow(new CellError("a cell must be a Merkle proof, got type ordinary"));
  });
});

describe("lookUp", () => {
  test("finds the entries of the dictionary in a proof, by reading only their paths", () => {
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
      { seed: 1, numRuns: 100 },
    );
  });

  test("does not take a pruned branch for absence", () => {
    const root = dictionary([Uint8Array.of(0, 0), Uint8Array.of(0x80, 0), Uint8Array.of(0x80, 1)]).rootCell() as Cell;
    const shown = openMerkleProof(sent(createMerkleProof(root, () => lookUp(root, Uint8Array.of(0, 0), 16))), root.hash);
    expect(lookUp(shown, Uint8Array.of(0, 1), 16)).toBeUndefined();
    expect(() => lookUp(shown, Uint8Array.of(0x80, 0), 16)).toThrow(PrunedCellError);
    expect(() => [...readEntries(shown, 16)]).toThrow(PrunedCellError);
  });

  test("rejects a short key, and nodes that are exotic cells", () => {
    const root = dictionary([Uint8Array.of(0, 0)]).rootCell() as Cell;
    expect(() => lookUp(root, Uint8Array.of(0), 16)).toThrow(new RangeError("a key must have 16 bits, got 8"));
    const update = createMerkleUpdate(root, root);
    expect(() => lookUp(update, Uint8Array.of(0, 0), 16)).toThrow(
      new CellError("a node of a dictionary is a cell of type update"),
    );
  });
});

describe("a range of readEntries", () => {
  test("has the entries after a key in either order, also in a proof of reading as many", () => {
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
      { seed: 1, numRuns: 40 },
    );
  });

  test("touches no branch outside of it", () => {
    const root = dictionary([0, 1, 0x80, 0x81].map((first) => Uint8Array.of(first, 0))).rootCell() as Cell;
    for (const falling of [false, true]) {
      const range = { after: Uint8Array.of(falling ? 1 : 0x80, 0), falling };
      const proof = createMerkleProof(root, () => expect([...readEntries(root, 16, range)].length).toBe(1));
      const shown = openMerkleProof(proof, root.hash);
      expect([...readEntries(shown, 16, range)].length).toBe(1);
      expect(shown.refs.map(({ type }) => type)).toEqual(falling ? ["ordinary", "pruned"] : ["pruned", "ordinary"]);
    }
  });

  test("ends at the first branch that the proof does not show", () => {
    const root = dictionary([0, 1, 0x80, 0x81].map((first) => Uint8Array.of(first, 0))).rootCell() as Cell;
    const shown = openMerkleProof(
      createMerkleProof(root, () => first(readEntries(root, 16), 2)),
      root.hash,
    );
    const entries = readEntries(shown, 16);
    expect([entries.next().value, entries.next().value].map((entry) => entry && toHex(entry))).toEqual(["0000", "0100"]);
    expect(() => entries.next()).toThrow(PrunedCellError);
  });
});
