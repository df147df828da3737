import { type Arbitrary, array, constantFrom, integer, oneof, record, uint8Array } from "fast-check";
import type { Trie, TrieFormat } from "../../src/dictionaries/trie.ts";

export const WIDTHS: readonly number[] = [8, 32, 64, 256, 352];

/** Values of 32 bits; the extra is their sum. */
export function format(width: number): TrieFormat<number, bigint> {
  return {
    width,
    augmentation: {
      empty: 0n,
      combine: (left, right) => left + right,
      write: (builder, sum) => builder.bigUint(sum, 64),
    },
    extraOf: BigInt,
    writeValue: (builder, value) => builder.uint(value, 32),
  };
}

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
