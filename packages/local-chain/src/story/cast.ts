import { writeBoc } from "@chain-query/format/cells";
import { type Order, walletOrder } from "../contracts/wallet.ts";
import type { AccountId } from "../domain.ts";
import { EXTRA_HOLDERS } from "../genesis/accounts.ts";
import { type Population, population, type Wallet } from "../genesis/population.ts";
import { externalMessage, type InternalMessage, internalMessage } from "../traffic/messages.ts";

/** Wallets that the chain of the story begins with. */
export const FIRST_WALLETS = 8;

/** The people of the story. */
export interface Cast {
  /** Deploys her wallet after somebody has sent her coins. In the lower shard. */
  readonly alice: Wallet;
  /** Has a wallet from the beginning, and another currency in it. In the upper shard. */
  readonly bob: Wallet;
  /** Is sent coins and never deploys a wallet. */
  readonly carol: AccountId;
  /** Has not paid for the storage of his account for years. */
  readonly dave: AccountId;
  /** Has a wallet from the beginning. In the lower shard. */
  readonly erin: Wallet;
}

/** Who the people are on the chain of a seed. Throws where the seed has nobody for a part. */
export function castOf(seed: bigint): Cast {
  const people: Population = population(seed);
  const first = (from: number, to: number, isUpper: boolean): Wallet => {
    for (let index = from; index < to; index++) {
      const wallet = people.wallet(index);
      if ((wallet.id.hash[0] as number) >= 0x80 === isUpper) return wallet;
    }
    throw new Error(`seed ${seed} has no wallet from ${from} to ${to - 1} in the ${isUpper ? "upper" : "lower"} shard`);
  };
  const dave = people.debtors[0];
  if (!dave) throw new Error("nobody is in debt");
  return {
    alice: first(FIRST_WALLETS, FIRST_WALLETS + 16, false),
    bob: first(0, EXTRA_HOLDERS, true),
    carol: people.wallet(FIRST_WALLETS + 16).id,
    dave: dave.id,
    erin: first(EXTRA_HOLDERS, FIRST_WALLETS, false),
  };
}

/** Fees apart from the value, and errors do not keep the rest from being sent. */
const APART = 3;

/**
 * The message from outside with which somebody orders their wallet to send messages.
 *
 * @param seqno - How many orders the wallet has taken; the first one brings the wallet where `deploys`.
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
