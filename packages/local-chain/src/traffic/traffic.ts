import { decodeShardAccount } from "@chain-query/format/accounts";
import { readBoc, toBinaryString, writeBoc } from "@chain-query/format/cells";
import { walletOrder, walletSeqno } from "../contracts/contract.ts";
import { EXTRA_HOLDERS } from "../genesis/accounts.ts";
import { MASTER_WALLETS, type Wallet } from "../genesis/population.ts";
import { type Random, seededRandom } from "../random.ts";
import type { WaitingMessage } from "../store/producer-state.ts";
import { randomOrders, type SenderState, type TrafficContext, trafficWallet } from "./kinds.ts";
import { externalMessage } from "./messages.ts";

/** Draws of a sender for each message, since a drawn sender may not be able to send. */
const MAX_TRIES = 4;
/** The most external messages that wait in the network. */
const MAX_WAITING = 8_000;
/** Wallets with a lower balance do not send. */
const MIN_BALANCE = 50_000_000n;

/** The chain that the traffic is generated for. */
type TrafficChain = Pick<TrafficContext, "options" | "population" | "counters" | "accounts">;

/**
 * Generates the external messages before a step. They depend on the seed, the seqno and the state of the chain only, so a reopened chain
 * continues in the same way. Most steps have three quarters of `rate`, and one of sixteen has five times `rate`.
 *
 * @param waiting - External messages that no block has executed yet.
 */
export function arrivals(
  chain: TrafficChain,
  waiting: readonly WaitingMessage[],
  { seqno, time, rate }: { readonly seqno: number; readonly time: number; readonly rate: number },
): WaitingMessage[] {
  const { options, population, counters, accounts } = chain;
  const random = seededRandom(options.seed, "traffic", seqno);
  const busy = new Set(waiting.map(({ to }) => toBinaryString(to.hash)));
  const wanted = random.below(16) === 0 ? 5 * rate : Math.ceil((3 * rate) / 4);
  const most = Math.max(0, MAX_WAITING - waiting.length);
  const arrived: WaitingMessage[] = [];
  for (let tries = 0; arrived.length < Math.min(wanted, most) && tries < MAX_TRIES * wanted; tries++) {
    const sender = randomSender(chain, random);
    if (busy.has(toBinaryString(sender.id.hash))) continue;
    const state = senderState(accounts.get(sender.id));
    if (!state) continue;
    const orders = randomOrders({ options, population, counters, accounts, random, sender, state });
    if (!orders) continue;
    busy.add(toBinaryString(sender.id.hash));
    const validUntil = time + Math.max(3_600, 100 * options.blockInterval);
    const body = walletOrder(sender.owner, sender.walletId, validUntil, orderSeqno(random, state), orders);
    const message = externalMessage(sender.id, body, state.isDeployed ? undefined : sender.contract);
    arrived.push({ number: counters.messages++, to: sender.id, boc: writeBoc(message) });
  }
  return arrived;
}

function randomSender(chain: TrafficChain, random: Random): Wallet {
  const { options, population, counters } = chain;
  const drawn = random.below(32);
  if (drawn === 0) return population.masterWallet(random.below(MASTER_WALLETS));
  if (drawn === 1) return population.wallet(random.below(Math.min(EXTRA_HOLDERS, options.accounts)));
  return trafficWallet(chain, random.below(options.accounts + counters.wallets));
}

/**
 * The state of a wallet before it sends; undefined if it cannot.
 *
 * @param account - Bag of cells (TL-B ShardAccount) in base64.
 */
function senderState(account: string): SenderState | undefined {
  const { status, balance, extraCurrencies, data } = decodeShardAccount(readBoc(Buffer.from(account, "base64")));
  if (status === "frozen" || balance < MIN_BALANCE) return undefined;
  const isDeployed = status === "active";
  return { isDeployed, balance, extraCurrencies, seqno: isDeployed && data ? walletSeqno(data) : 0 };
}

/** One order in 128 has a wrong seqno, which its wallet rejects. */
function orderSeqno(random: Random, { seqno }: SenderState): number {
  return random.below(128) === 0 ? seqno + 1 : seqno;
}
