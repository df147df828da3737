import { type Currencies, coinsOnly } from "@chain-query/format/currencies";
import { MOST_ORDERS, type Order } from "../contracts/wallet.ts";
import type { AccountId } from "../domain.ts";
import { COIN, EXTRA_CURRENCY, EXTRA_HOLDERS } from "../genesis/accounts.ts";
import { MASTER_WALLETS } from "../genesis/population.ts";
import { comment, encryptedComment, rawPayload, relayBody, textComment } from "./bodies.ts";
import { type InternalMessage, internalMessage } from "./messages.ts";
import type { Party } from "./party.ts";
import { pick, seededBytes } from "./random.ts";

/** What somebody sends; nothing where it is not possible now. */
type Kind = (party: Party) => readonly Order[] | undefined;

/** Fees apart from the value, and errors do not keep the rest from being sent. */
const APART = 3;
/** Fees from the value, and an error undoes all. */
const STRICT = 0;
/** All that the wallet has, and the wallet is gone afterwards. */
const ALL_AND_GONE = 160;

/** All kinds of traffic, and how often each is seen in a thousand. */
const KINDS: readonly (readonly [often: number, kind: Kind])[] = [
  [330, (p) => [transfer(p, { body: textComment(comment(p.random, 1 + p.random.below(8))) })]],
  [30, (p) => [transfer(p, { body: textComment(comment(p.random, 30 + p.random.below(60))) })]],
  [70, (p) => [transfer(p, { body: encryptedComment(p.random) })]],
  [80, (p) => [transfer(p, { body: rawPayload(p.random) })]],
  [100, (p) => [transfer(p, {})]],
  [100, severalTransfers],
  [40, (p) => [order(APART, { to: pick(p.random, p.people.refusers).id, value: amount(p), bounce: true })]],
  [20, (p) => [order(APART, { to: pick(p.random, p.people.refusers).id, value: amount(p), bounce: false })]],
  [15, (p) => [order(STRICT, { to: friend(p), value: coinsOnly(p.state.balance + COIN), bounce: true })]],
  [20, (p) => [order(APART, { to: stranger(p), value: amount(p), bounce: true })]],
  [20, (p) => [order(APART, { to: stranger(p), value: amount(p), bounce: false })]],
  [35, deployment],
  [20, (p) => [order(APART, { to: newWallet(p).id, value: coinsOnly(COIN / 2n), bounce: false })]],
  [40, (p) => [order(APART, { to: pick(p.random, p.people.counters).id, value: coinsOnly(COIN / 50n), bounce: true })]],
  [60, (p) => [relayed(p, 1 + p.random.below(3))]],
  [40, acrossChains],
  [30, extraCurrencies],
  [20, (p) => [order(APART, { to: pick(p.random, p.people.keepers).id, value: coinsOnly(COIN / 100n), bounce: true })]],
  [10, debt],
  [10, farewell],
];

const TOTAL = KINDS.reduce((sum, [often]) => sum + often, 0);

/** What a wallet is asked to send, drawn by how often each kind is seen. */
export function ordersOf(party: Party): readonly Order[] | undefined {
  if (isFirstHolder(party) && party.random.below(2) === 0) return extraCurrencies(party);
  let drawn = party.random.below(TOTAL);
  for (const [often, kind] of KINDS) {
    if (drawn < often) return kind(party);
    drawn -= often;
  }
  return undefined;
}

function isFirstHolder({ sender }: Party): boolean {
  return sender.id.workchain === 0 && sender.walletId < EXTRA_HOLDERS;
}

function order(mode: number, message: InternalMessage): Order {
  return { mode, message: internalMessage(message) };
}

function transfer(party: Party, { body }: Pick<InternalMessage, "body">): Order {
  return order(APART, { to: friend(party), value: amount(party), bounce: true, ...(body && { body }) });
}

function severalTransfers(party: Party): Order[] {
  const count = 2 + party.random.below(MOST_ORDERS - 1);
  return Array.from({ length: count }, () => transfer(party, { body: textComment(comment(party.random, 2)) }));
}

/** A wallet that there is from the beginning. */
function friend({ random, people, options }: Party): AccountId {
  return people.wallet(random.below(options.accounts)).id;
}

/** From a thousandth of a coin to five. */
function amount({ random }: Party): Currencies {
  return coinsOnly(BigInt(1 + random.below(5_000)) * (COIN / 1_000n));
}

/** An address that never was used. */
function stranger({ options, counters }: Party): AccountId {
  return { workchain: 0, hash: seededBytes(options.seed, "stranger", counters.strangers++) };
}

function newWallet({ people, options, counters }: Party) {
  return people.wallet(options.accounts + counters.wallets++);
}

function deployment(party: Party): Order[] {
  const { id, contract } = newWallet(party);
  return [
    order(APART, { to: id, value: coinsOnly(2n * COIN), bounce: false, deploys: contract, body: textComment("welcome") }),
  ];
}

/** A message that goes through relays, `depth` of them, and branches at the last. */
function relayed(party: Party, depth: number): Order {
  const { random, people } = party;
  const inner =
    depth > 1
      ? [relayed(party, depth - 1)]
      : Array.from({ length: 1 + random.below(3) }, () =>
          order(APART, { to: friend(party), value: coinsOnly(COIN / 100n), bounce: false, body: textComment("relayed") }),
        );
  const value = coinsOnly((COIN / 10n) * BigInt(depth));
  return order(APART, { to: pick(random, people.relays).id, value, bounce: true, body: relayBody(inner) });
}

/** From the basechain to the masterchain, or back. */
function acrossChains(party: Party): Order[] {
  const { random, people, sender } = party;
  const body = textComment(comment(random, 2));
  if (sender.id.workchain === -1) return [transfer(party, { body })];
  const to = random.below(4) === 0 ? people.clock.id : people.masterWallet(random.below(MASTER_WALLETS)).id;
  return [order(APART, { to, value: amount(party), bounce: true, body })];
}

/** A holder of the other currency gives some away. */
function extraCurrencies(party: Party): Order[] | undefined {
  const held = party.state.extraCurrencies.find(({ id }) => id === EXTRA_CURRENCY);
  if (!held || held.amount === 0n) return undefined;
  const most = held.amount < 1_000n ? Number(held.amount) : 1_000;
  const extra = [{ id: EXTRA_CURRENCY, amount: BigInt(1 + party.random.below(most)) }];
  return [order(APART, { to: friend(party), value: { coins: COIN / 20n, extra }, bounce: false, body: textComment("points") })];
}

/** A message that reminds a debtor of its storage, or one that brings back the contract and value enough to go on. */
function debt({ random, people }: Party): Order[] {
  const [hopeless, ...others] = people.debtors;
  const saved = pick(random, [...others, people.masterDebtor]);
  if (random.below(6) === 0) {
    return [order(APART, { to: saved.id, value: coinsOnly(3n * COIN), bounce: false, deploys: saved.contract })];
  }
  // Nobody saves the first one, so that there always is a frozen account.
  const reminded = random.below(2) === 0 && hopeless ? hopeless : saved;
  return [order(APART, { to: reminded.id, value: coinsOnly(COIN / 50n), bounce: true })];
}

/** Only those that came later leave: what is sent to the first wallets is to arrive. */
function farewell(party: Party): Order[] | undefined {
  const { sender, options } = party;
  if (sender.id.workchain === -1 || sender.walletId < options.accounts) return undefined;
  return [order(ALL_AND_GONE, { to: friend(party), value: coinsOnly(0n), bounce: false, body: textComment("farewell") })];
}
