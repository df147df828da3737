import type { ExtraCurrency } from "../../domain.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";

const NONE: readonly ExtraCurrency[] = [];

export function writeExtraCurrencies(writer: ByteWriter, currencies: readonly ExtraCurrency[]): void {
  writer.u8(currencies.length);
  for (const { id, amount } of currencies) writer.u32(id).amount(amount);
}

export function readExtraCurrencies(reader: ByteReader): readonly ExtraCurrency[] {
  const count = reader.u8();
  if (count === 0) return NONE;
  return Array.from({ length: count }, () => ({ id: reader.u32(), amount: reader.amount() }));
}
