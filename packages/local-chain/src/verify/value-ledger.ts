import { addCurrencies, type Currencies, NO_CURRENCIES, subtractCurrencies } from "@chain-query/format/currencies";
import { containsAccount } from "@chain-query/format/identifiers";
import type { ShardId } from "../domain.ts";
import type { BalanceChange } from "./account-ledger.ts";
import { type CheckedBlock, textOf } from "./block-check.ts";
import { blockName, must, mustEqual } from "./fault.ts";
import type { Verified } from "./verify-chain.ts";

/** Follows all value from genesis on: none appears or vanishes but what is minted and what is burnt. */
export interface ValueLedger {
  readonly totals: Verified["value"];
  /** Takes a step: its blocks, the masterchain's last, what it changed of the balances, and what is on its way after it. */
  apply(blocks: readonly CheckedBlock[], changes: readonly BalanceChange[], inFlight: Currencies): void;
}

interface Purse {
  readonly shard: ShardId;
  balances: Currencies;
}

/** @param shards - What the accounts of each shard hold together at genesis. */
export function valueLedger(shards: readonly Purse[]): ValueLedger {
  const purses = shards.map((purse) => ({ ...purse }));
  const genesis = purses.map(({ balances }) => balances).reduce(addCurrencies, NO_CURRENCIES);
  let minted = NO_CURRENCIES;
  let burnt = NO_CURRENCIES;
  let inFlight = NO_CURRENCIES;

  const purseOf = (holds: (shard: ShardId) => boolean): Purse => {
    const purse = purses.find(({ shard }) => holds(shard));
    must(purse !== undefined, () => "an account lives in no shard of the chain");
    return purse;
  };

  const sum = (): Currencies => purses.map(({ balances }) => balances).reduce(addCurrencies, NO_CURRENCIES);

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
    apply: (blocks, changes, flying) => {
      for (const { account, before, after } of changes) {
        const purse = purseOf((shard) => containsAccount(shard, account));
        purse.balances = addCurrencies(subtractCurrencies(purse.balances, before), after);
      }
      for (const { header, flow } of blocks) {
        const { balances } = purseOf((shard) => shard.workchain === header.id.workchain && shard.shard === header.id.shard);
        const name = () => blockName(header.id, header.id.seqno);
        mustEqual(textOf(balances), textOf(flow.after), () => `sum of the balances after ${name()}`);
        minted = [flow.minted, flow.created].reduce(addCurrencies, minted);
      }
      // The masterchain collects the fees of all shards, and nobody gets them.
      const master = blocks.at(-1);
      if (master) burnt = addCurrencies(burnt, master.flow.feesCollected);
      inFlight = flying;
      mustEqual(
        textOf(addCurrencies(sum(), inFlight)),
        textOf(subtractCurrencies(addCurrencies(genesis, minted), burnt)),
        () => `value in balances and in flight after masterchain block ${master?.header.id.seqno}`,
      );
    },
  };
}
