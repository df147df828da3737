import { readShardAccount } from "@chain-query/format/accounts";
import type { BlockTransaction } from "@chain-query/format/blocks";
import { type Cell, readBoc, textOf, writeBoc } from "@chain-query/format/cells";
import { containsAccount } from "@chain-query/format/identifiers";
import type { MessageParts } from "@chain-query/format/messages";
import type { QueuedMessage } from "@chain-query/format/states";
import { readTransactionParts } from "@chain-query/format/transactions";
import type { AccountId } from "../domain.ts";
import type { Circumstances, Executed, Machine, Refused } from "../execution/machine.ts";
import type { AccountTable } from "./account-table.ts";
import type { WaitingMessage } from "./pool.ts";
import type { Shard } from "./shard.ts";
import { sortedQueue } from "./sorted-queue.ts";

/** What is settled about a block before anything runs in it. */
export interface BlockFrame {
  readonly startLt: bigint;
  /** Unix seconds. */
  readonly time: number;
  /** 32 bytes. */
  readonly randomSeed: Uint8Array;
  /** The most transactions that messages may cause. */
  readonly limit: number;
  /** Addresses of the accounts that the clock starts. */
  readonly startedByClock: readonly Uint8Array[];
}

/** An account after a block, once for each one that the block touched. */
export interface TouchedAccount {
  readonly account: AccountId;
  readonly shardAccount: Cell;
  readonly boc: Uint8Array;
}

/** What ran in a block. */
export interface Collation {
  readonly transactions: readonly BlockTransaction[];
  /** The transactions' bags of cells, in the same order. */
  readonly bocs: readonly Uint8Array[];
  readonly touched: readonly TouchedAccount[];
  /** Messages from outside that left the pool, executed or refused. */
  readonly taken: readonly WaitingMessage[];
  /** Messages taken from queues. */
  readonly imported: readonly QueuedMessage[];
  readonly endLt: bigint;
}

/** What a block is run with. */
interface Tools {
  readonly machine: Machine;
  readonly accounts: AccountTable;
}

/** A quarter of a block is kept for messages from outside where some wait, so that a long queue does not keep them out. */
const SHARE_OF_POOL = 4;

/**
 * Runs what a block has room for: accounts started by the clock, messages from queues, messages from outside, then messages that
 * these sent within the shard. Those wait for a later block as soon as one from the queues had to, so that the order stays that of creation.
 * Takes what it runs out of the shard's queue and pool, and changes its accounts.
 */
export async function collate({ machine, accounts }: Tools, shard: Shard, frame: BlockFrame): Promise<Collation> {
  const run = runner(accounts, shard, frame);
  const imported: QueuedMessage[] = [];
  const taken: WaitingMessage[] = [];
  for (const hash of frame.startedByClock) await run.start(hash, (account) => machine.start("tick", account));

  const forPool = Math.min(shard.pool.length, Math.floor(frame.limit / SHARE_OF_POOL));
  while (shard.inbound.length > imported.length && run.count() < frame.limit - forPool) {
    const queued = shard.inbound[imported.length] as QueuedMessage;
    imported.push(queued);
    await run.message(queued.message, machine, queued);
  }
  shard.inbound.splice(0, imported.length);

  while (shard.pool.length > taken.length && run.count() < frame.limit) {
    const waiting = shard.pool[taken.length] as WaitingMessage;
    taken.push(waiting);
    await run.outside(waiting, machine);
  }
  shard.pool.splice(0, taken.length);

  while (shard.inbound.length === 0 && run.count() < frame.limit) {
    const message = run.sent.shift();
    if (!message) break;
    await run.message(message, machine);
  }
  for (const hash of frame.startedByClock) await run.start(hash, (account) => machine.start("tock", account));
  return { ...run.result(), taken, imported };
}

/** Runs transactions of one block one after another, and keeps what follows from each. */
function runner(accounts: AccountTable, shard: Shard, { startLt, time, randomSeed }: BlockFrame) {
  const transactions: BlockTransaction[] = [];
  const bocs: Uint8Array[] = [];
  const touched = new Map<string, TouchedAccount & { readonly nextLt: bigint }>();
  const sent = sortedQueue<MessageParts>((message) => message.createdLt);
  const { workchain } = shard.state.shard;
  let endLt = startLt + 1n;
  let started = 0;

  /** The lt of an account's next transaction lies above the block's start, the account's last lt and the message's. */
  const circumstances = (hash: Uint8Array, above: bigint): Circumstances => {
    const next = touched.get(textOf(hash))?.nextLt ?? startLt + 1n;
    return { account: accounts.get({ workchain, hash }), time, randomSeed, lt: next > above ? next : above + 1n };
  };

  const keep = (hash: Uint8Array, { lt }: Circumstances, executed: Executed, from?: QueuedMessage): void => {
    const boc = Buffer.from(executed.transaction, "base64");
    const transaction = readTransactionParts(readBoc(boc));
    if (transaction.lt !== lt) throw new Error(`a transaction has lt ${transaction.lt} where ${lt} was asked for`);
    const accountBoc = Buffer.from(executed.account, "base64");
    const shardAccount = readBoc(accountBoc);
    const nextLt = lt + BigInt(transaction.outMessages.length) + 1n;
    if (nextLt > endLt) endLt = nextLt;
    transactions.push({ transaction, account: readShardAccount(shardAccount, "digest"), ...(from ? { from } : {}) });
    bocs.push(boc);
    accounts.set({ workchain, hash }, executed.account);
    touched.set(textOf(hash), { account: { workchain, hash }, shardAccount, boc: accountBoc, nextLt });
    for (const message of transaction.outMessages) {
      if (message.destination && containsAccount(shard.state.shard, message.destination)) sent.add(message);
    }
  };

  return {
    sent,
    count: () => transactions.length - started,
    async start(hash: Uint8Array, by: (account: Circumstances) => Promise<Executed>): Promise<void> {
      const account = circumstances(hash, 0n);
      keep(hash, account, await by(account));
      started += 1;
    },
    async message(message: MessageParts, machine: Machine, from?: QueuedMessage): Promise<void> {
      const { hash } = message.destination as AccountId;
      const account = circumstances(hash, message.createdLt);
      const executed = await machine.deliver(writeBoc(message.cell), account);
      if ("refused" in executed) throw new Error(`a message between accounts was refused: ${executed.refused}`);
      keep(hash, account, executed, from);
    },
    async outside({ to, boc }: WaitingMessage, machine: Machine): Promise<void> {
      const account = circumstances(to.hash, 0n);
      const executed: Executed | Refused = await machine.deliver(boc, account);
      if (!("refused" in executed)) keep(to.hash, account, executed);
    },
    result: () => ({ transactions, bocs, touched: Array.from(touched.values()), endLt }),
  };
}
