import type { CellBuilder } from "./cells/cell-builder.ts";
import type { CellReader } from "./cells/cell-reader.ts";
import { readEntries, uint32Key } from "./dictionaries/hashmap.ts";
import { type Augmentation, plainFormat, Trie } from "./dictionaries/trie.ts";

/** An amount of a currency other than the network's own. */
export interface ExtraCurrency {
  /** Signed, 32 bits. */
  readonly id: number;
  readonly amount: bigint;
}

/** Amounts of the network's currency, in its smallest unit, and of others. */
export interface Currencies {
  readonly coins: bigint;
  /** Each id once, without amounts of 0. In the order of the dictionary, which is that of unsigned ids: negative ones are last. */
  readonly extra: readonly ExtraCurrency[];
}

/** No amount of any currency. */
export const NO_CURRENCIES: Currencies = { coins: 0n, extra: [] };

/** An amount of the network's own currency only. */
export function coinsOnly(amount: bigint): Currencies {
  return { coins: amount, extra: NO_CURRENCIES.extra };
}

/** The sum of two amounts. */
export function addCurrencies(a: Currencies, b: Currencies): Currencies {
  return { coins: a.coins + b.coins, extra: mergeExtra(a.extra, b.extra, 1n) };
}

/** The difference of two amounts. Throws a RangeError if any currency would be below 0. */
export function subtractCurrencies(a: Currencies, b: Currencies): Currencies {
  const rest = { coins: a.coins - b.coins, extra: mergeExtra(a.extra, b.extra, -1n) };
  if (rest.coins < 0n || rest.extra.some(({ amount }) => amount < 0n)) {
    throw new RangeError(`cannot subtract ${formatCurrencies(b)} from ${formatCurrencies(a)}`);
  }
  return rest;
}

/** Amounts for messages, such as `5 and 7 of currency 101`. Equal amounts have equal texts. */
export function formatCurrencies({ coins, extra }: Currencies): string {
  return [coins, ...extra.map(({ id, amount }) => `${amount} of currency ${id}`)].join(" and ");
}

/** Sums of amounts as the extra of an augmented dictionary. */
export const CURRENCIES_SUM: Augmentation<Currencies> = {
  empty: NO_CURRENCIES,
  combine: addCurrencies,
  write: writeCurrencies,
};

/**
 * Writes amounts.
 *
 * TL-B `extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection`,
 * `currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection`.
 */
export function writeCurrencies(builder: CellBuilder, { coins, extra }: Currencies): void {
  builder.coins(coins);
  if (extra.length === 0) {
    builder.bit(false);
    return;
  }
  const entries = extra.map(({ id, amount }) => [uint32Key(id), amount] as const);
  Trie.from(EXTRA_CURRENCIES, entries).write(builder);
}

/** Reads amounts, see `writeCurrencies`. */
export function readCurrencies(reader: CellReader): Currencies {
  const amount = reader.coins();
  const root = reader.maybeRef();
  if (!root) return coinsOnly(amount);
  const extra = Array.from(readEntries(root, 32), ({ key, leaf }) => ({
    id: new DataView(key.buffer, key.byteOffset).getInt32(0),
    amount: leaf.varUint(5),
  }));
  return { coins: amount, extra };
}

/** Skips amounts, and does not touch the dictionary of other currencies, which a proof may leave out. */
export function skipCurrencies(reader: CellReader): void {
  reader.coins();
  reader.maybeRef();
}

const EXTRA_CURRENCIES = /* @__PURE__ */ plainFormat<bigint>(32, (builder, amount) => builder.varUint(amount, 5));

function mergeExtra(a: readonly ExtraCurrency[], b: readonly ExtraCurrency[], sign: bigint): readonly ExtraCurrency[] {
  if (b.length === 0) return a;
  const amounts = new Map(a.map(({ id, amount }) => [id, amount]));
  for (const { id, amount } of b) amounts.set(id, (amounts.get(id) ?? 0n) + sign * amount);
  return Array.from(amounts, ([id, amount]) => ({ id, amount }))
    .filter(({ amount }) => amount !== 0n)
    .sort((x, y) => (x.id >>> 0) - (y.id >>> 0));
}
