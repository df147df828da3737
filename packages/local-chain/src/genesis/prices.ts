import { type Cell, CellBuilder } from "@chain-query/format/cells";

/** The two price lists of a network. Amounts are in the smallest unit; gas and forward prices in 1/65536 of it. */
type Chain = "masterchain" | "basechain";

const GAS = {
  masterchain: { price: 655_360_000n, flatPrice: 1_000_000n, special: 70_000_000n, block: 2_500_000n },
  basechain: { price: 26_214_400n, flatPrice: 40_000n, special: 1_000_000n, block: 10_000_000n },
} as const;

const FORWARD = {
  masterchain: { lump: 10_000_000n, bit: 655_360_000n, cell: 65_536_000_000n },
  basechain: { lump: 400_000n, bit: 26_214_400n, cell: 2_621_440_000n },
} as const;

/** TL-B StoragePrices: per bit and per cell, for 65536 seconds, in the basechain and in the masterchain. */
export function storagePrices(): Cell {
  const builder = new CellBuilder().uint(0xcc, 8).uint(0, 32);
  for (const price of [1n, 500n, 1_000n, 500_000n]) builder.bigUint(price, 64);
  return builder.cell();
}

/** TL-B GasLimitsPrices: a flat price for the first 100, then by unit; an account that owes 0.1 freezes, one that owes 1 is deleted. */
export function gasPrices(chain: Chain): Cell {
  const { price, flatPrice, special, block } = GAS[chain];
  const builder = new CellBuilder().uint(0xd1, 8).bigUint(100n, 64).bigUint(flatPrice, 64).uint(0xde, 8);
  for (const value of [price, 1_000_000n, special, 10_000n, block, 100_000_000n, 1_000_000_000n]) builder.bigUint(value, 64);
  return builder.cell();
}

/** TL-B MsgForwardPrices: a third goes to the sender's block, the rest to the receiver's. */
export function forwardPrices(chain: Chain): Cell {
  const { lump, bit, cell } = FORWARD[chain];
  const builder = new CellBuilder().uint(0xea, 8);
  for (const value of [lump, bit, cell]) builder.bigUint(value, 64);
  return builder.uint(0, 32).uint(21_845, 16).uint(21_845, 16).cell();
}
