import {
  addCurrencies,
  type Currencies,
  formatCurrencies,
  NO_CURRENCIES,
  subtractCurrencies,
} from "@chain-query/format/currencies";
import { blockName, containsAccount, intersects, isSameShard, type ShardId } from "@chain-query/format/identifiers";
import type { BalanceChange } from "./account-ledger.ts";
import type { CheckedBlock } from "./block-check.ts";
import { must, mustEqual } from "./fault.ts";

/** In the smallest unit: genesis + minted - burnt = balances + inFlight. */
export type ValueTotals = Readonly<Record<"genesis" | "minted" | "burnt" | "balances" | "inFlight", bigint>>;

/** Follows all value from genesis: it changes only by minted and burnt amounts. */
interface ValueLedger {
  readonly totals: ValueTotals;
  /**
   * Replaces the shards that split or merged before a step.
   *
   * @param balanceOf - The sum of the balances of a shard before the step.
   */
  reshard(blocks: readonly CheckedBlock[], balanceOf: (shard: ShardId) => Currencies): void;
  /** Adds changes of balances. */
  change(changes: readonly BalanceChange[]): void;
  /** Adds a block, after the changes of balances up to it. */
  add(block: CheckedBlock): void;
  /** Ends a step with the value in flight after it. */
  end(seqno: number, inFlight: Currencies): void;
}

interface ShardBalance {
  readonly shard: ShardId;
  balances: Currencies;
}

/** @param genesisBalances - The sum of the balances of each shard at genesis. */
export function valueLedger(genesisBalances: readonly ShardBalance[]): ValueLedger {
  let shardBalances = genesisBalances.map((balance) => ({ ...balance }));
  const genesis = shardBalances.map(({ balances }) => balances).reduce(addCurrencies, NO_CURRENCIES);
  let minted = NO_CURRENCIES;
  let burnt = NO_CURRENCIES;
  let inFlight = NO_CURRENCIES;

  const balanceOf = (holds: (shard: ShardId) => boolean): ShardBalance => {
    const found = shardBalances.find(({ shard }) => holds(shard));
    must(found !== undefined, () => "an account is in no shard of the chain");
    return found;
  };

  const sum = (): Currencies => shardBalances.map(({ balances }) => balances).reduce(addCurrencies, NO_CURRENCIES);

  return {
    get totals() {
      return {
        genesis: genesis.coins,
        minted: minted.coins,
        burnt: burnt.coins,
        balances: sum().coins,
        inFlight: inFlight.coins,
      };
    },
    reshard: (blocks, balanceOf) => {
      for (const { header } of blocks) {
        const { workchain, shard } = header.id;
        if (shardBalances.some((known) => isSameShard(known.shard, header.id))) continue;
        shardBalances = shardBalances.filter((known) => !intersects(known.shard, header.id));
        shardBalances.push({ shard: { workchain, shard }, balances: balanceOf(header.id) });
      }
    },
    change: (changes) => {
      for (const { account, before, after } of changes) {
        const found = balanceOf((shard) => containsAccount(shard, account));
        found.balances = addCurrencies(subtractCurrencies(found.balances, before), after);
      }
    },
    add: ({ header, flow, info }) => {
      const { balances } = balanceOf((shard) => isSameShard(shard, header.id));
      const name = () => `block ${blockName(header.id)}`;
      mustEqual(formatCurrencies(balances), formatCurrencies(flow.after), () => `sum of the balances after ${name()}`);
      minted = [flow.minted, flow.created].reduce(addCurrencies, minted);
      // The masterchain collects the fees of all shards. They are burnt.
      if (!info.master) burnt = [flow.feesCollected, flow.burned].reduce(addCurrencies, burnt);
    },
    end: (seqno, inFlightAfter) => {
      inFlight = inFlightAfter;
      mustEqual(
        formatCurrencies(addCurrencies(sum(), inFlight)),
        formatCurrencies(subtractCurrencies(addCurrencies(genesis, minted), burnt)),
        () => `value in balances and in flight after masterchain block ${seqno}`,
      );
    },
  };
}
