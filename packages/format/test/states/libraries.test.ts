import { walkLibraries } from "@chain-query/testing/block-walker/libraries";
import { array, assert, boolean, integer, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cell, CellBuilder, createMerkleProof, hex, openMerkleProof, PrunedCellError } from "../../src/cells/index.ts";
import { plainFormat, Trie } from "../../src/dictionaries/index.ts";
import {
  changePublisher,
  encodePrunedState,
  encodeState,
  PUBLIC_LIBRARIES,
  type PublicLibrary,
  readPublicLibraries,
  readStateLibraries,
} from "../../src/states/index.ts";
import { sampleBlocks } from "../blocks/sample-blocks.ts";
import { toCoreCell } from "../core-cell.ts";

/** TL-B SimpleLib. */
const OWN = plainFormat<{ readonly root: Cell; readonly isPublic: boolean }>(256, (builder, { root, isPublic }) =>
  builder.bit(isPublic).ref(root),
);

const LIBRARIES = [1, 2, 3, 4].map((number) => new CellBuilder().uint(number, 8).cell());
const PUBLISHERS = [0x11, 0x22, 0x99].map((byte) => new Uint8Array(32).fill(byte));

/** The dictionary of an account with some of the libraries: absent, private or public. */
function ownOf(kinds: readonly ("absent" | "private" | "public")[]): Cell | undefined {
  const entries = LIBRARIES.flatMap((root, i) =>
    kinds[i] === "absent" ? [] : [[root.hash, { root, isPublic: kinds[i] === "public" }] as const],
  );
  return Trie.from(OWN, entries).rootCell();
}

const KINDS = ["absent", "private", "public"] as const;
const anyKinds = array(
  integer({ min: 0, max: 2 }).map((i) => KINDS[i] ?? "absent"),
  { minLength: LIBRARIES.length, maxLength: LIBRARIES.length },
);

const master = sampleBlocks().blocks.findLast(({ id }) => id.workchain === -1)?.state ?? expect.fail("a block is missing");

function stateWith(libraries: Trie<PublicLibrary, undefined>) {
  return { ...master, masterchain: { ...(master.masterchain ?? expect.fail()), libraries } };
}

const published: readonly PublicLibrary[] = LIBRARIES.map((root, i) => ({
  root,
  publishers: PUBLISHERS.slice(0, 1 + (i % 3)),
}));

describe("public libraries", () => {
  test("follow what each account publishes, in any order of changes", () => {
    assert(
      property(array(tuple(integer({ min: 0, max: 2 }), anyKinds, boolean()), { maxLength: 12 }), (changes) => {
        const own = new Map<number, Cell | undefined>();
        let libraries = Trie.empty(PUBLIC_LIBRARIES);
        const expected = new Map<string, Set<string>>();
        for (const [who, kinds, isGone] of changes) {
          const next = isGone ? undefined : ownOf(kinds);
          const publisher = PUBLISHERS[who] ?? expect.fail();
          libraries = changePublisher(libraries, publisher, own.get(who), next);
          own.set(who, next);
          for (const [i, root] of LIBRARIES.entries()) {
            const publishers = expected.get(hex(root.hash)) ?? new Set();
            if (!isGone && kinds[i] === "public") publishers.add(hex(publisher));
            else publishers.delete(hex(publisher));
            expected.set(hex(root.hash), publishers);
          }
        }
        const builder = new CellBuilder();
        libraries.write(builder);
        const walked = walkLibraries(toCoreCell(builder.cell()).beginParse());
        const rest = [...expected].filter(([, publishers]) => publishers.size > 0).sort();
        expect([...walked]).toEqual(rest.map(([hash, publishers]) => [hash, [...publishers].sort()]));
      }),
      { numRuns: 100 },
    );
  });

  test("are read from a state, also from one without its large parts, and from a proof of them alone", () => {
    const state = stateWith(
      Trie.from(
        PUBLIC_LIBRARIES,
        published.map((one) => [one.root.hash, one] as const),
      ),
    );
    const root = encodeState(state);
    const read = (from: Cell) => Array.from(readPublicLibraries(readStateLibraries(from)));
    const expected = published.toSorted((a, b) => Buffer.compare(a.root.hash, b.root.hash));
    expect(read(root).map(({ publishers }) => publishers)).toEqual(expected.map(({ publishers }) => publishers));
    expect(read(root).map(({ root }) => hex(root.hash))).toEqual(expected.map(({ root }) => hex(root.hash)));
    expect(read(encodePrunedState(state))).toHaveLength(4);
    const proof = openMerkleProof(
      createMerkleProof(root, (cell) => void read(cell)),
      root.hash,
    );
    expect(read(proof)).toHaveLength(4);
    const other = openMerkleProof(
      createMerkleProof(root, (cell) => void readStateLibraries(cell)),
      root.hash,
    );
    expect(() => read(other)).toThrow(PrunedCellError);
    expect(readStateLibraries(encodeState(master))).toBeUndefined();
  });

  test("must have the hash of their key, and a publisher", () => {
    const wrong = Trie.from(PUBLIC_LIBRARIES, [[new Uint8Array(32), published[0] ?? expect.fail()] as const]).rootCell();
    expect(() => [...readPublicLibraries(wrong)]).toThrow(/^library 0{64} has hash [0-9a-f]{64}$/);
    const none = { root: LIBRARIES[0] ?? expect.fail(), publishers: [] };
    expect(() => Trie.from(PUBLIC_LIBRARIES, [[none.root.hash, none] as const]).rootCell()).toThrow("has no publisher");
  });
});
