import type { Slice } from "@ton/core";
import { mustEqual, walkDictionary } from "./dictionary.ts";

/** Amounts by currency id + 1; 0 is the network's own currency. Amounts of 0 are left out. */
export type Amounts = ReadonlyMap<number, bigint>;

export const NOTHING: Amounts = new Map();

/** CurrencyCollection. */
export function readAmounts(slice: Slice): Amounts {
  const amounts = new Map<number, bigint>([[0, readVarUint(slice, 4)]]);
  if (slice.loadBit()) {
    walkDictionary(slice.loadRef(), 32, (key, leaf) => {
      amounts.set(Number(key) + 1, readVarUint(leaf, 5));
      mustEqual(leaf.remainingBits, 0, "bits after an extra currency");
    });
  }
  return new Map([...amounts].filter(([, amount]) => amount !== 0n));
}

/** VarUInteger. Its first byte must not be 0. */
export function readVarUint(slice: Slice, lengthBits: number): bigint {
  const length = slice.loadUint(lengthBits);
  const value = slice.loadUintBig(length * 8);
  mustEqual(length, Math.ceil(value.toString(16).length / 2) * (value === 0n ? 0 : 1), "length of an amount");
  return value;
}

export function plus(...all: readonly Amounts[]): Amounts {
  const sum = new Map<number, bigint>();
  for (const amounts of all) for (const [id, amount] of amounts) sum.set(id, (sum.get(id) ?? 0n) + amount);
  return new Map([...sum].filter(([, amount]) => amount !== 0n));
}

export function coins(amount: bigint): Amounts {
  return amount === 0n ? NOTHING : new Map([[0, amount]]);
}

export function text(amounts: Amounts): string {
  return [...amounts]
    .sort(([a], [b]) => a - b)
    .map(([id, amount]) => `${id}:${amount}`)
    .join(",");
}
