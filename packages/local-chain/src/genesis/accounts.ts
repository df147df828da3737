import { type Cell, CellBuilder } from "@chain-query/format/cells";
import { type Currencies, coinsOnly } from "@chain-query/format/currencies";
import { contract } from "../contracts/contract.ts";
import { seededRandom } from "../traffic/random.ts";
import type { GenesisAccount } from "./account-cell.ts";
import { CONFIG_ADDRESS } from "./configuration.ts";
import type { ChainOptions } from "./options.ts";
import { type Deployable, MASTER_WALLETS, type Population } from "./population.ts";

/** Smallest units of one coin. */
export const COIN: bigint = 1_000_000_000n;

/** A currency other than the network's own, and the wallets that hold it at the beginning. */
export const EXTRA_CURRENCY = 100;
export const EXTRA_HOLDERS = 4;

/**
 * What the treasury holds. With it, all value together is as much as on a large network, and within what `@ton/core` can read of a
 * masterchain's state: 72 million to 4.6 billion coins.
 */
const TREASURY: bigint = 500_000_000n * COIN;

const DAY = 86_400;
const YEAR = 365 * DAY;

/** All accounts of the zero state but the masterchain's configuration account, which needs the others. */
export function* genesisAccounts(people: Population, options: ChainOptions): Generator<GenesisAccount, void, undefined> {
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
    yield of(people.wallet(i), { coins: BigInt(100 + random.below(9_900)) * COIN, extra }, now - random.below(30 * DAY));
  }
  for (let i = 0; i < MASTER_WALLETS; i++) yield of(people.masterWallet(i), coinsOnly(10_000n * COIN), now);
  for (const one of [...people.relays, ...people.refusers, ...people.counters]) yield of(one, coinsOnly(10n * COIN), now);
  for (const [i, one] of people.keepers.entries()) yield of(one, coinsOnly(5n * COIN), now - (i + 1) * 60 * DAY);
  for (const one of people.debtors) yield of(one, coinsOnly(COIN / 10n), now - 5 * YEAR);
  for (const id of people.uninitialized) yield { id, balance: coinsOnly(3n * COIN), paidUntil: now };
  yield of(people.masterDebtor, coinsOnly(COIN / 10n), now - 10 * DAY);
  yield of(people.treasury, coinsOnly(TREASURY), now);
  yield { ...of(people.clock, coinsOnly(1_000n * COIN), 0), paidUntil: 0 };
}

/** The account that holds the configuration. It is named by the configuration, not by what it is made from. */
export function configAccount(config: Cell): GenesisAccount {
  return {
    id: { workchain: -1, hash: CONFIG_ADDRESS },
    balance: coinsOnly(100n * COIN),
    contract: contract("keeper", new CellBuilder().ref(config).cell()),
    paidUntil: 0,
  };
}
