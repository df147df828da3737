import { type Cell, CellBuilder } from "@chain-query/format/cells";
import { type Currencies, coinsOnly, writeCurrencies } from "@chain-query/format/currencies";
import { type AccountId, writeAddress } from "@chain-query/format/identifiers";
import { type Contract, contract, writeInitialState } from "../contracts/contract.ts";
import { seededRandom } from "../random.ts";
import { CONFIG_ACCOUNT } from "./configuration.ts";
import type { ChainOptions } from "./options.ts";
import { type Deployable, MASTER_WALLETS, type Population } from "./population.ts";

/** Smallest units of one coin. */
export const COIN: bigint = 1_000_000_000n;

/** An extra currency, and the number of first wallets that hold it at genesis. */
export const EXTRA_CURRENCY = 100;
export const EXTRA_HOLDERS = 4;

/**
 * Brings the total value to the order of a public network, and into the range in which `@ton/core` can read a masterchain state, 72 million
 * to 4.6 billion coins: it reads one bit too many before the global balance.
 */
const TREASURY: bigint = 500_000_000n * COIN;

const DAY = 86_400;
const YEAR = 365 * DAY;

/** An account of a zero state. */
export interface GenesisAccount {
  readonly id: AccountId;
  readonly balance: Currencies;
  /** Absent for an uninitialized account. */
  readonly contract?: Contract;
  /** Unix seconds until which its storage is paid; 0 for accounts that never pay. */
  readonly paidUntil: number;
}

/** All accounts at genesis except the configuration account, which depends on the others. */
export function* genesisAccounts(population: Population, options: ChainOptions): Generator<GenesisAccount, void, undefined> {
  const random = seededRandom(options.seed, "balances");
  const now = options.startTime;
  const of = ({ id, contract }: Deployable, balance: Currencies, paidUntil: number): GenesisAccount => ({
    id,
    balance,
    contract,
    paidUntil: Math.max(1, paidUntil),
  });
  for (let i = 0; i < options.accounts; i++) {
    const extra = i < EXTRA_HOLDERS ? [{ id: EXTRA_CURRENCY, amount: 1_000_000n }] : [];
    yield of(population.wallet(i), { coins: BigInt(100 + random.below(9_900)) * COIN, extra }, now - random.below(30 * DAY));
  }
  for (let i = 0; i < MASTER_WALLETS; i++) yield of(population.masterWallet(i), coinsOnly(10_000n * COIN), now);
  for (const one of [...population.relays, ...population.refusers, ...population.counters])
    yield of(one, coinsOnly(10n * COIN), now);
  for (const [i, one] of population.keepers.entries()) yield of(one, coinsOnly(5n * COIN), now - (i + 1) * 60 * DAY);
  for (const one of population.underfunded) yield of(one, coinsOnly(COIN / 10n), now - 5 * YEAR);
  for (const id of population.uninitialized) yield { id, balance: coinsOnly(3n * COIN), paidUntil: now };
  yield of(population.masterUnderfunded, coinsOnly(COIN / 10n), now - 10 * DAY);
  yield of(population.treasury, coinsOnly(TREASURY), now);
  yield { ...of(population.clock, coinsOnly(1_000n * COIN), 0), paidUntil: 0 };
}

/** The account that holds the configuration. The configuration sets its address. It pays for messages that change the configuration. */
export function configAccount(config: Cell, { keyBlocks }: Pick<ChainOptions, "keyBlocks">): GenesisAccount {
  const isChanging = keyBlocks !== "none";
  return {
    id: CONFIG_ACCOUNT,
    balance: coinsOnly((isChanging ? 1_000_000n : 100n) * COIN),
    contract: contract(isChanging ? "configuration" : "keeper", new CellBuilder().ref(config).cell()),
    paidUntil: 0,
  };
}

/** TL-B ShardAccount of an account without transactions. */
export function genesisShardAccount(account: GenesisAccount): Cell {
  return new CellBuilder().ref(accountCell(account)).bytes(new Uint8Array(32)).bigUint(0n, 64).cell();
}

/** TL-B ShardAccount of an account that does not exist. */
export function absentShardAccount(): Cell {
  return new CellBuilder().ref(new CellBuilder().bit(false).cell()).bytes(new Uint8Array(32)).bigUint(0n, 64).cell();
}

/** TL-B Account. */
function accountCell({ id, balance, contract, paidUntil }: GenesisAccount): Cell {
  const storage = writeStorage(new CellBuilder(), balance, contract).cell();
  // Since global version 10 the dictionary of extra currencies is not part of the paid storage.
  const used = storageUsed(writeStorage(new CellBuilder(), coinsOnly(balance.coins), contract).cell());
  return writeAddress(new CellBuilder().bit(true), id)
    .varUint(BigInt(used.cells), 3)
    .varUint(BigInt(used.bits), 3)
    .uint(0, 3)
    .uint(paidUntil, 32)
    .bit(false)
    .append(storage)
    .cell();
}

/** TL-B AccountStorage with last lt 0. */
function writeStorage(builder: CellBuilder, balance: Currencies, contract: Contract | undefined): CellBuilder {
  writeCurrencies(builder.bigUint(0n, 64), balance);
  return contract === undefined ? builder.uint(0, 2) : writeInitialState(builder.bit(true), contract);
}

/** The paid storage: distinct cells of the AccountStorage, and their bits. */
function storageUsed(root: Cell): { readonly cells: number; readonly bits: number } {
  const seen = new Set<string>();
  let bits = 0;
  const waiting = [root];
  for (let cell = waiting.pop(); cell; cell = waiting.pop()) {
    const name = Buffer.from(cell.hash).toString("base64");
    if (seen.has(name)) continue;
    seen.add(name);
    bits += cell.bitLength;
    waiting.push(...cell.refs);
  }
  return { cells: seen.size, bits };
}
