import { decodeShardAccount } from "@chain-query/format/accounts";
import { readBoc, toBinaryString, writeBoc } from "@chain-query/format/cells";
import { type Currencies, coinsOnly, type ExtraCurrency } from "@chain-query/format/currencies";
import type { AccountId } from "@chain-query/format/identifiers";
import { MAX_ORDERS, type Order, walletOrder, walletSeqno } from "../contracts/contract.ts";
import { COIN, EXTRA_CURRENCY, EXTRA_HOLDERS } from "../genesis/accounts.ts";
import type { ChainOptions } from "../genesis/options.ts";
import { MASTER_WALLETS, type Population, type Wallet } from "../genesis/population.ts";
import { pick, type Random, seededBytes, seededRandom } from "../random.ts";
import type { TrafficCounters, WaitingMessage } from "../store/producer-state.ts";
import {
  encryptedComment,
  externalMessage,
  type InternalMessage,
  internalMessage,
  randomText,
  rawPayload,
  relayBody,
  textComment,
} from "./messages.ts";
import { ALL_AND_DELETE, puppetMessage } from "./puppets.ts";

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

/** The state of a wallet that is about to send. */
interface SenderState {
  /** A wallet that is not deployed yet deploys itself with its first message. */
  readonly isDeployed: boolean;
  readonly balance: bigint;
  readonly extraCurrencies: readonly ExtraCurrency[];
  /** Of the next order. */
  readonly seqno: number;
}

/** A sender, and all that its messages depend on. */
interface TrafficContext {
  readonly options: ChainOptions;
  readonly population: Population;
  readonly counters: TrafficCounters;
  readonly random: Random;
  readonly sender: Wallet;
  readonly state: SenderState;
  /** Bags of cells (TL-B ShardAccount) in base64. */
  readonly accounts: { get(account: AccountId): string };
}

/** Makes the orders of one kind of traffic; undefined if the sender cannot send it. */
type Kind = (context: TrafficContext) => readonly Order[] | undefined;

/** Sending mode: fees are paid beside the value, and errors are ignored. */
const APART = 3;
/** Sending mode: fees are taken from the value, and an error aborts the transaction. */
const STRICT = 0;

/** All kinds of traffic with their weights. */
const KINDS: readonly (readonly [weight: number, kind: Kind])[] = [
  [330, (p) => [transfer(p, { body: textComment(randomText(p.random, 1 + p.random.below(8))) })]],
  [30, (p) => [transfer(p, { body: textComment(randomText(p.random, 30 + p.random.below(60))) })]],
  [70, (p) => [transfer(p, { body: encryptedComment(p.random) })]],
  [80, (p) => [transfer(p, { body: rawPayload(p.random) })]],
  [100, (p) => [transfer(p, {})]],
  [100, severalTransfers],
  [40, (p) => [order(APART, { to: pick(p.random, p.population.refusers).id, value: amount(p), bounce: true })]],
  [20, (p) => [order(APART, { to: pick(p.random, p.population.refusers).id, value: amount(p), bounce: false })]],
  [15, (p) => [order(STRICT, { to: firstWallet(p), value: coinsOnly(p.state.balance + COIN), bounce: true })]],
  [20, (p) => [order(APART, { to: stranger(p), value: amount(p), bounce: true })]],
  [20, (p) => [order(APART, { to: stranger(p), value: amount(p), bounce: false })]],
  [35, deployment],
  [20, (p) => [order(APART, { to: newWallet(p).id, value: coinsOnly(COIN / 2n), bounce: false })]],
  [40, (p) => [order(APART, { to: pick(p.random, p.population.counters).id, value: coinsOnly(COIN / 50n), bounce: true })]],
  [60, (p) => [relayed(p, 1 + p.random.below(3))]],
  [40, acrossChains],
  [30, extraCurrencies],
  [20, (p) => [order(APART, { to: pick(p.random, p.population.keepers).id, value: coinsOnly(COIN / 100n), bounce: true })]],
  [10, debt],
  [10, deletion],
];

const TOTAL_WEIGHT = KINDS.reduce((sum, [weight]) => sum + weight, 0);

/** The orders of a random kind; the first holders of the extra currency often send some of it. */
function randomOrders(context: TrafficContext): readonly Order[] | undefined {
  const { puppets } = context.options;
  if (puppets > 0 && context.random.below(100) < puppets) return toPuppet(context);
  if (isFirstHolder(context) && context.random.below(2) === 0) return extraCurrencies(context);
  let drawn = context.random.below(TOTAL_WEIGHT);
  for (const [weight, kind] of KINDS) {
    if (drawn < weight) return kind(context);
    drawn -= weight;
  }
  return undefined;
}

function isFirstHolder({ sender }: TrafficContext): boolean {
  return sender.id.workchain === 0 && sender.walletId < EXTRA_HOLDERS;
}

function order(mode: number, message: InternalMessage): Order {
  return { mode, message: internalMessage(message) };
}

function transfer(context: TrafficContext, { body }: Pick<InternalMessage, "body">): Order {
  return order(APART, { to: firstWallet(context), value: amount(context), bounce: true, ...(body && { body }) });
}

function severalTransfers(context: TrafficContext): Order[] {
  const count = 2 + context.random.below(MAX_ORDERS - 1);
  return Array.from({ length: count }, () => transfer(context, { body: textComment(randomText(context.random, 2)) }));
}

/** One of the first wallets. */
function firstWallet({ random, population, options }: TrafficContext): AccountId {
  return population.wallet(random.below(options.accounts)).id;
}

/** From a thousandth of a coin to five. */
function amount({ random }: TrafficContext): Currencies {
  return coinsOnly(BigInt(1 + random.below(5_000)) * (COIN / 1_000n));
}

/** An address that was never used. */
function stranger({ options, counters }: TrafficContext): AccountId {
  return { workchain: 0, hash: seededBytes(options.seed, "stranger", counters.strangers++) };
}

function newWallet(context: TrafficContext): Wallet {
  return trafficWallet(context, context.options.accounts + context.counters.wallets++);
}

/** The n-th wallet of the traffic. Skips the reserved wallets, which follow the wallets of genesis. */
function trafficWallet({ population, options }: Pick<TrafficContext, "population" | "options">, index: number): Wallet {
  return population.wallet(index < options.accounts ? index : index + options.reserved);
}

function deployment(context: TrafficContext): Order[] {
  const { id, contract } = newWallet(context);
  return [
    order(APART, { to: id, value: coinsOnly(2n * COIN), bounce: false, deploys: contract, body: textComment("welcome") }),
  ];
}

/** A message through `depth` relays, the last of which sends up to three. */
function relayed(context: TrafficContext, depth: number): Order {
  const { random, population } = context;
  const inner =
    depth > 1
      ? [relayed(context, depth - 1)]
      : Array.from({ length: 1 + random.below(3) }, () =>
          order(APART, {
            to: firstWallet(context),
            value: coinsOnly(COIN / 100n),
            bounce: false,
            body: textComment("relayed"),
          }),
        );
  const value = coinsOnly((COIN / 10n) * BigInt(depth));
  return order(APART, { to: pick(random, population.relays).id, value, bounce: true, body: relayBody(inner) });
}

/** A transfer between basechain and masterchain. */
function acrossChains(context: TrafficContext): Order[] {
  const { random, population, sender } = context;
  const body = textComment(randomText(random, 2));
  if (sender.id.workchain === -1) return [transfer(context, { body })];
  const to = random.below(4) === 0 ? population.clock.id : population.masterWallet(random.below(MASTER_WALLETS)).id;
  return [order(APART, { to, value: amount(context), bounce: true, body })];
}

/** A transfer of the extra currency, if the sender holds any. */
function extraCurrencies(context: TrafficContext): Order[] | undefined {
  const held = context.state.extraCurrencies.find(({ id }) => id === EXTRA_CURRENCY);
  if (!held || held.amount === 0n) return undefined;
  const most = held.amount < 1_000n ? Number(held.amount) : 1_000;
  const extra = [{ id: EXTRA_CURRENCY, amount: BigInt(1 + context.random.below(most)) }];
  return [
    order(APART, { to: firstWallet(context), value: { coins: COIN / 20n, extra }, bounce: false, body: textComment("points") }),
  ];
}

/** A message to an underfunded account: it charges storage fees and may freeze the account, or deploys its contract again. */
function debt({ random, population, options }: TrafficContext): Order[] {
  const [neverRestored, ...others] = population.underfunded;
  const account = pick(random, [...others, population.masterUnderfunded]);
  if (random.below(6) === 0) {
    return [order(APART, { to: account.id, value: coinsOnly(3n * COIN), bounce: false, deploys: account.contract })];
  }
  // The first account is never restored, so every chain gets a frozen account.
  const charged = random.below(2) === 0 && neverRestored && options.reserved === 0 ? neverRestored : account;
  return [order(APART, { to: charged.id, value: coinsOnly(COIN / 50n), bounce: true })];
}

function toPuppet(context: TrafficContext): Order[] {
  const puppet = pick(context.random, context.population.puppets);
  const state = { shardAccount: context.accounts.get(puppet.id), heir: firstWallet(context) };
  return [order(APART, puppetMessage(context.random, puppet, state))];
}

/** Deletes a wallet, except the first wallets: transfers to them must arrive. */
function deletion(context: TrafficContext): Order[] | undefined {
  const { sender, options } = context;
  if (sender.id.workchain === -1 || sender.walletId < options.accounts) return undefined;
  return [
    order(ALL_AND_DELETE, { to: firstWallet(context), value: coinsOnly(0n), bounce: false, body: textComment("farewell") }),
  ];
}
