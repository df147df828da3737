import { writeBoc } from "@chain-query/format/cells";
import type { AccountId } from "@chain-query/format/identifiers";
import { type Order, walletOrder } from "../contracts/contract.ts";
import { EXTRA_HOLDERS } from "../genesis/accounts.ts";
import { createPopulation, type Wallet } from "../genesis/population.ts";
import { externalMessage, type InternalMessage, internalMessage } from "../traffic/messages.ts";

/** Wallets at genesis. */
export const FIRST_WALLETS = 8;
/** The wallets after them: Alice's is one of the first 16, Carol's is the next. */
export const LATER_WALLETS = 17;

/** The accounts of the scenario, with the keys of their owners. */
export interface ScenarioAccounts {
  /** Deploys her wallet after she has received coins. In the lower half of the basechain. */
  readonly alice: Wallet;
  /** Has a wallet at genesis, with an extra currency. In the upper half. */
  readonly bob: Wallet;
  /** Receives coins and never deploys a wallet. */
  readonly carol: AccountId;
  /** Has not paid storage fees for years. */
  readonly dave: AccountId;
  /** Has a wallet at genesis. In the lower half. */
  readonly erin: Wallet;
}

/** Finds the accounts on the chain of a seed. Throws if one of them does not exist in its half of the basechain. */
export function scenarioAccounts(seed: bigint): ScenarioAccounts {
  const population = createPopulation(seed);
  const first = (from: number, to: number, isUpper: boolean): Wallet => {
    for (let index = from; index < to; index++) {
      const wallet = population.wallet(index);
      if ((wallet.id.hash[0] as number) >= 0x80 === isUpper) return wallet;
    }
    throw new Error(
      `seed ${seed} has no wallet from ${from} to ${to - 1} in the ${isUpper ? "upper" : "lower"} half of the basechain`,
    );
  };
  const dave = population.underfunded[0];
  if (!dave) throw new Error("the population has no underfunded account");
  return {
    alice: first(FIRST_WALLETS, FIRST_WALLETS + LATER_WALLETS - 1, false),
    bob: first(0, EXTRA_HOLDERS, true),
    carol: population.wallet(FIRST_WALLETS + LATER_WALLETS - 1).id,
    dave: dave.id,
    erin: first(EXTRA_HOLDERS, FIRST_WALLETS, false),
  };
}

/** Sending mode: fees are paid beside the value, and errors are ignored. */
const APART = 3;

/**
 * The external message that makes a wallet send messages.
 *
 * @param seqno - The number of orders that the wallet has executed. With `deploys`, the message deploys the wallet.
 * @param validUntil - Unix seconds.
 * @returns A bag of cells.
 */
export function order(
  from: Wallet,
  { seqno, validUntil, deploys = false }: { readonly seqno: number; readonly validUntil: number; readonly deploys?: boolean },
  messages: readonly InternalMessage[],
): Uint8Array {
  const orders = messages.map((message): Order => ({ mode: APART, message: internalMessage(message) }));
  const body = walletOrder(from.owner, from.walletId, validUntil, seqno, orders);
  return writeBoc(externalMessage(from.id, body, deploys ? from.contract : undefined));
}
