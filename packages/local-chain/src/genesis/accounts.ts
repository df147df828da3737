import { type Cell, CellBuilder } from "@chain-query/format/cells";
import { type Currencies, coinsOnly } from "@chain-query/format/currencies";
import { contract } from "../contracts/contract.ts";
import { seededRandom } from "../random.ts";
import type { GenesisAccount } from "./account-cell.ts";
import { CONFIG_ADDRESS } from "./configuration.ts";
import type { ChainOptions } from "./options.ts";
import { type Deployable, MASTER_WALLETS, type Population } from "./population.ts";

/** Smallest units of one coin. */
export const COIN: bigint = 1_000_000_000n;

/** An extra currency, and the number of first wallets that hold it at genesis. */
export const EXTRA_CURRENCY = 100;
export const EXTRA_HOLDERS = 4;

/** Brings the total value to the order of a public network, and into the range in which `@ton/core` can read a masterchain state. */
const TREASURY: bigint = 500_000_000n * COIN;

const DAY = 86_400;
const YEAR = 365 * DAY;

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
  for (const one of population.debtors) yield of(one, coinsOnly(COIN / 10n), now - 5 * YEAR);
  for (const id of population.uninitialized) yield { id, balance: coinsOnly(3n * COIN), paidUntil: now };
  yield of(population.masterDebtor, coinsOnly(COIN / 10n), now - 10 * DAY);
  yield of(population.treasury, coinsOnly(TREASURY), now);
  yield { ...of(population.clock, coinsOnly(1_000n * COIN), 0), paidUntil: 0 };
}

/** The account that holds the configuration. The configuration sets its address. */
export function configAccount(config: Cell): GenesisAccount {
  return {
    id: { workchain: -1, hash: CONFIG_ADDRESS },
    balance: coinsOnly(100n * COIN),
    contract: contract("keeper", new CellBuilder().ref(config).cell()),
    paidUntil: 0,
  };
}
