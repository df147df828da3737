import { textOf, writeBoc } from "@chain-query/format/cells";
import { walletOrder } from "../contracts/wallet.ts";
import { EXTRA_HOLDERS } from "../genesis/accounts.ts";
import { MASTER_WALLETS, type Wallet } from "../genesis/population.ts";
import { allShards, type Network } from "../production/network.ts";
import type { WaitingMessage } from "../production/pool.ts";
import { ordersOf } from "./kinds.ts";
import { externalMessage } from "./messages.ts";
import { type Random, seededRandom } from "./random.ts";
import { type SenderState, senderState } from "./sender.ts";

/** How often another sender is looked for where one cannot send. */
const TRIES = 4;
/** The most messages from outside that wait in the network. */
const MOST_WAITING = 8_000;

/**
 * The messages from outside that people send before a step. They depend on the seed, the step and the state of the network only,
 * so that a network that was closed and opened again goes on with the same.
 *
 * @param rate - How many there are on average. Most steps have fewer, and one of sixteen has five times as many.
 */
export function arrivals(network: Network, seqno: number, time: number, rate: number): WaitingMessage[] {
  const { options, people, counters, accounts } = network;
  const random = seededRandom(options.seed, "traffic", seqno);
  const waiting = allShards(network).flatMap(({ pool }) => pool);
  const busy = new Set(waiting.map(({ to }) => textOf(to.hash)));
  const wanted = random.below(16) === 0 ? 5 * rate : Math.ceil((3 * rate) / 4);
  const room = Math.max(0, MOST_WAITING - waiting.length);
  const arrived: WaitingMessage[] = [];
  for (let tries = 0; arrived.length < Math.min(wanted, room) && tries < TRIES * wanted; tries++) {
    const sender = drawnSender(network, random);
    if (busy.has(textOf(sender.id.hash))) continue;
    const state = senderState(accounts.get(sender.id));
    if (!state) continue;
    const orders = ordersOf({ options, people, counters, random, sender, state });
    if (!orders) continue;
    busy.add(textOf(sender.id.hash));
    const validUntil = time + Math.max(3_600, 100 * options.blockInterval);
    const body = walletOrder(sender.owner, sender.walletId, validUntil, orderNumber(random, state), orders);
    const message = externalMessage(sender.id, body, state.isDeployed ? undefined : sender.contract);
    arrived.push({ number: counters.messages++, to: sender.id, boc: writeBoc(message) });
  }
  return arrived;
}

function drawnSender({ options, people, counters }: Network, random: Random): Wallet {
  const drawn = random.below(32);
  if (drawn === 0) return people.masterWallet(random.below(MASTER_WALLETS));
  if (drawn === 1) return people.wallet(random.below(Math.min(EXTRA_HOLDERS, options.accounts)));
  return people.wallet(random.below(options.accounts + counters.wallets));
}

/** Now and then somebody is mistaken, and the wallet refuses the order. */
function orderNumber(random: Random, { seqno }: SenderState): number {
  return random.below(128) === 0 ? seqno + 1 : seqno;
}
