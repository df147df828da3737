import type { CellBuilder } from "../cells/cell-builder.ts";
import type { CellReader } from "../cells/cell-reader.ts";
import { readEntries } from "../dictionary/entries.ts";
import { Trie } from "../dictionary/trie.ts";
import { type Augmentation, type TrieFormat, UNAUGMENTED } from "../dictionary/trie-node.ts";

/** An amount of a currency other than the network's own. */
export interface ExtraCurrency {
  readonly id: number;
  readonly amount: bigint;
}

/** An amount of the network's currency and of others: `extra` holds each id once, by rising id, none with amount 0. */
export interface Currencies {
  readonly coins: bigint;
  readonly extra: readonly ExtraCurrency[];
}

/** Nothing. */
export const NO_CURRENCIES: Currencies = { coins: 0n, extra: [] };

/** An amount of the network's own currency. */
export function coinsOnly(amount: bigint): Currencies {
  return { coins: amount, extra: NO_CURRENCIES.extra };
}

/** The sum of two amounts. */
export function addCurrencies(a: Currencies, b: Currencies): Currencies {
  return { coins: a.coins + b.coins, extra: mergeExtra(a.extra, b.extra, 1n) };
}

/** What is left of an amount. Throws a RangeError where that is less than nothing. */
export function subtractCurrencies(a: Currencies, b: Currencies): Currencies {
  const rest = { coins: a.coins - b.coins, extra: mergeExtra(a.extra, b.extra, -1n) };
  if (rest.coins < 0n || rest.extra.some(({ amount }) => amount < 0n)) {
    throw new RangeError(`${b.coins} is more than the ${a.coins} that it is taken from`);
  }
  return rest;
}

/** Sums of amounts, as augmented dictionaries carry them. */
export const CURRENCIES_SUM: Augmentation<Currencies> = {
  empty: NO_CURRENCIES,
  combine: addCurrencies,
  write: writeCurrencies,
};

/** Writes a TL-B CurrencyCollection. */
export function writeCurrencies(builder: CellBuilder, { coins, extra }: Currencies): void {
  builder.coins(coins);
  if (extra.length === 0) builder.bit(false);
  else
    Trie.from(
      EXTRA_CURRENCIES,
      extra.map(({ id, amount }) => [currencyKey(id), amount] as const),
    ).write(builder, "cells");
}

/** Reads a TL-B CurrencyCollection. */
export function readCurrencies(reader: CellReader): Currencies {
  const amount = reader.coins();
  const root = reader.maybeRef();
  if (!root) return coinsOnly(amount);
  const extra = Array.from(readEntries(root, 32), ({ key, leaf }) => ({
    id: new DataView(key.buffer, key.byteOffset).getUint32(0),
    amount: leaf.varUint(5),
  }));
  return { coins: amount, extra };
}

/** TL-B HashmapE 32 (VarUInteger 32). */
const EXTRA_CURRENCIES: TrieFormat<bigint, undefined> = {
  width: 32,
  augmentation: UNAUGMENTED,
  extraOf: () => undefined,
  writeValue: (builder, amount) => {
    builder.varUint(amount, 5);
  },
};

function currencyKey(id: number): Uint8Array {
  const key = new Uint8Array(4);
  new DataView(key.buffer).setUint32(0, id);
  return key;
}

function mergeExtra(a: readonly ExtraCurrency[], b: readonly ExtraCurrency[], sign: bigint): readonly ExtraCurrency[] {
  if (b.length === 0) return a;
  const amounts = new Map(a.map(({ id, amount }) => [id, amount]));
  for (const { id, amount } of b) amounts.set(id, (amounts.get(id) ?? 0n) + sign * amount);
  return Array.from(amounts, ([id, amount]) => ({ id, amount }))
    .filter(({ amount }) => amount !== 0n)
    .sort((x, y) => x.id - y.id);
}
