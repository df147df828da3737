/** Real cells with other bits: readers throw a CellError of one line, or read a value with another hash. Nothing else is thrown. */
import { readFileSync } from "node:fs";
import { bagsIn, recordedFiles } from "@chain-query/testing/recorded";
import { array, assert as check, constantFrom, integer, oneof, property, record } from "fast-check";
import { expect } from "vitest";
import { crc32c } from "../src/cells/bytes.ts";
import { type Cell, CellError, hex, readBocRoots, writeBoc } from "../src/cells/index.ts";
import { type Kind, kindOf, READERS } from "./every-reader.ts";

/** The tags of 32 and 16 bits, all at the beginning of a cell. */
const TAGS = ["11ef55aa", "9bc7a987", "b8e48dfb", "3ebf98b7", "4a33f6fd", "9023afe2", "cca5", "cc26"];

interface Sample {
  readonly file: string;
  readonly bag: Uint8Array;
  readonly kinds: readonly Kind[];
  readonly hashes: readonly string[];
  /** Where tags are. */
  readonly tags: readonly number[];
  /** Messages of readers of cells that the sample does not show, or that only the masterchain has. */
  readonly refused: ReadonlySet<string>;
}

/** Bags of a local chain, and those of real networks if they are present. */
function samples(largest: number): Sample[] {
  const chain = readBocRoots(readFileSync(new URL("fixtures/chain.boc", import.meta.url)));
  const local = chain.map((root, i) => sample(`block ${i} of a local chain`, writeBoc(root)));
  const files = recordedFiles().filter(({ bytes }) => bytes.length <= largest);
  return [...local, ...files.flatMap((file) => bagsIn(file).map((bag, i) => sample(`${file.file} ${i}`, bag)))];
}

function sample(file: string, bag: Uint8Array): Sample {
  const roots = readBocRoots(bag);
  const bytes = Buffer.from(bag);
  const tags = TAGS.flatMap((tag) => {
    const start = bytes.indexOf(Buffer.from(tag, "hex"));
    return start < 0 ? [] : [start];
  });
  const kinds = roots.map((root) => kindOf(treeOf(root)));
  const refused = new Set(readAll(bag, kinds, file).refused);
  return { file, bag, kinds, hashes: roots.map(({ hash }) => hex(hash)), tags, refused };
}

function treeOf(root: Cell): Cell {
  return (root.type === "proof" && root.refs[0]) || root;
}

/** A bit of a bag, or a tag with other bits. */
const changes = record({
  sample: integer({ min: 0, max: 10_000 }),
  place: integer({ min: 0, max: 2 ** 31 - 1 }),
  change: oneof(
    constantFrom("bit" as const),
    record({ tag: integer({ min: 0, max: 100 }), bits: array(integer({ min: 0, max: 15 }), { minLength: 1, maxLength: 8 }) }),
  ),
});

/** Changes samples `times` times. Bags have the checksum of their new bytes, so that the change is met by the readers. */
export function checkChanges(largest: number, times: number): void {
  const all = samples(largest);
  const found = { refused: 0, changed: 0, same: 0 };
  check(
    property(changes, ({ sample, place, change }) => {
      const { file, bag, kinds, hashes, tags, refused: known } = all[sample % all.length] as Sample;
      const bytes = Buffer.from(bag);
      const bits =
        change === "bit" || tags.length === 0
          ? [place % ((bytes.length - 4) * 8)]
          : change.bits.map((bit) => (tags[change.tag % tags.length] as number) * 8 + bit);
      for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (0x80 >> (bit & 7));
      if ((bag[4] as number) & 0x40) bytes.writeUInt32LE(crc32c(bytes.subarray(0, -4)), bytes.length - 4);
      const { refused, read } = readAll(bytes, kinds, `bits ${bits} of ${file}`);
      if (refused.some((message) => !known.has(message))) found.refused += 1;
      else if (read.join() === hashes.join()) found.same += 1;
      else found.changed += 1;
    }),
    { numRuns: times, seed: 26, unbiased: true },
  );
  expect(found.refused).toBeGreaterThan(times / 10);
  expect(found.changed).toBeGreaterThan(times / 10);
  // Bits of an index, and bits that were changed twice.
  expect(found.same).toBeLessThan(times / 5);
}

/** The hashes of the roots that are read, and the messages of what is not. */
function readAll(bytes: Uint8Array, kinds: readonly Kind[], what: string): { read: string[]; refused: string[] } {
  const refused: string[] = [];
  const attempt = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      const isLine = error instanceof CellError && /^.{10,300}$/.test(error.message);
      if (!isLine) throw new Error(`${what} is not refused in one line`, { cause: error });
      refused.push(error.message);
      return undefined;
    }
  };
  const roots = attempt(() => readBocRoots(bytes)) ?? [];
  const read = roots.map((root) => attempt(() => hex(root.hash)) ?? "");
  for (const [i, root] of roots.entries()) {
    const tree = treeOf(root);
    for (const reader of Object.values(READERS[kinds[i] as Kind] ?? {})) attempt(() => reader(tree));
  }
  return { read, refused };
}
