import { beginCell, Dictionary, storeCurrencyCollection } from "@ton/core";
import { type Arbitrary, array, bigInt, assert as check, integer, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { CellBuilder } from "../src/cells/cell-builder.ts";
import { CellReader } from "../src/cells/cell-reader.ts";
import {
  addCurrencies,
  type Currencies,
  coinsOnly,
  readCurrencies,
  subtractCurrencies,
  writeCurrencies,
} from "../src/currencies.ts";
import { toCoreCell } from "./core-cell.ts";

const amounts = bigInt({ min: 1n, max: 2n ** 100n });
const currencies: Arbitrary<Currencies> = record({
  coins: bigInt({ min: 0n, max: 2n ** 100n }),
  extra: array(record({ id: integer(), amount: amounts }), { maxLength: 6 }),
}).map(({ coins, extra }) => ({
  coins,
  extra: [...new Map(extra.map((each) => [each.id, each])).values()].sort((a, b) => (a.id >>> 0) - (b.id >>> 0)),
}));

describe("currencies", () => {
  test("are written as @ton/core writes them, and read back", () => {
    check(
      property(currencies, (value) => {
        const builder = new CellBuilder();
        writeCurrencies(builder, value);
        const cell = builder.cell();
        const other = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.BigVarUint(5));
        for (const { id, amount } of value.extra) other.set(id, amount);
        const core = beginCell().store(storeCurrencyCollection({ coins: value.coins, other }));
        expect(toCoreCell(cell).toString()).toBe(core.endCell().toString());
        expect(readCurrencies(new CellReader(cell))).toEqual(value);
      }),
      { seed: 1 },
    );
  });

  test("are added and subtracted", () => {
    check(
      property(currencies, currencies, currencies, (a, b, c) => {
        expect(addCurrencies(a, b)).toEqual(addCurrencies(b, a));
        expect(addCurrencies(addCurrencies(a, b), c)).toEqual(addCurrencies(a, addCurrencies(b, c)));
        expect(subtractCurrencies(addCurrencies(a, b), b)).toEqual(a);
        const more = { coins: addCurrencies(a, b).coins + 1n, extra: [] };
        expect(() => subtractCurrencies(a, more)).toThrow(`cannot subtract ${more.coins} from ${a.coins}`);
      }),
      { seed: 1 },
    );
    const one = { coins: 0n, extra: [{ id: 5, amount: 1n }] };
    expect(() => subtractCurrencies(coinsOnly(3n), one)).toThrow(RangeError);
  });
});
