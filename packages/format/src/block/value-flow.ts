import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { addCurrencies, type Currencies, writeCurrencies } from "../state/currencies.ts";
import type { ValueFlow } from "./content.ts";

/** TL-B ValueFlow. Throws a RangeError where value would appear or vanish. */
export function valueFlowCell(flow: ValueFlow): Cell {
  const comes = sum(flow.before, flow.imported, flow.feesImported, flow.recovered, flow.created, flow.minted);
  const goes = sum(flow.after, flow.exported, flow.feesCollected);
  if (text(comes) !== text(goes)) {
    throw new RangeError(`a block does not keep value: ${text(comes)} comes in, ${text(goes)} goes out`);
  }
  const builder = new CellBuilder().uint(0xb8e48dfb, 32).ref(amounts(flow.before, flow.after, flow.imported, flow.exported));
  writeCurrencies(builder, flow.feesCollected);
  return builder.ref(amounts(flow.feesImported, flow.recovered, flow.created, flow.minted)).cell();
}

function amounts(...all: readonly Currencies[]): Cell {
  const builder = new CellBuilder();
  for (const amount of all) writeCurrencies(builder, amount);
  return builder.cell();
}

function sum(...all: readonly [Currencies, ...Currencies[]]): Currencies {
  return all.reduce(addCurrencies);
}

function text({ coins, extra }: Currencies): string {
  return [coins, ...extra.map(({ id, amount }) => `${amount} of currency ${id}`)].join(" and ");
}
