import { readShardAccount } from "@chain-query/format/accounts";
import type { BlockTransaction } from "@chain-query/format/blocks";
import { type Cell, readBoc, toBinaryString, writeBoc } from "@chain-query/format/cells";
import { type AccountId, containsAccount } from "@chain-query/format/identifiers";
import { type MessageHeader, readMessageHeader } from "@chain-query/format/messages";
import type { QueuedMessage } from "@chain-query/format/states";
import { readTransactionHeader } from "@chain-query/format/transactions";
import type { Executed, ExecutionContext, Machine } from "../execution/machine.ts";
import { absentShardAccount } from "../genesis/accounts.ts";
import type { WaitingMessage } from "../store/producer-state.ts";
import { ABSENT, type AccountTable, type Shard } from "./network.ts";

/** The parameters of a block that are fixed before execution. */
interface BlockFrame {
  readonly startLt: bigint;
  /** Unix seconds. */
  readonly time: number;
  /** 32 bytes. */
  readonly randomSeed: Uint8Array;
  /** See `ExecutionContext`. */
  readonly config: string;
  /** An external message that is executed after the ticks, beside those of the pool. */
  readonly first: Cell | undefined;
  /** Maximum number of transactions, tick-tock ones excluded. */
  readonly limit: number;
  /** Whether it takes messages from queues. */
  readonly isImporting: boolean;
  /** Addresses of the accounts with tick-tock transactions. */
  readonly tickTockAccounts: readonly Uint8Array[];
}

/** An account after a block that changed it. */
interface TouchedAccount {
  readonly account: AccountId;
  /** TL-B ShardAccount before the block. */
  readonly before: Cell;
  readonly shardAccount: Cell;
  readonly boc: Uint8Array;
}

/** The executed content of a block. */
export interface Collation {
  readonly transactions: readonly BlockTransaction[];
  readonly touched: readonly TouchedAccount[];
  /** External messages that left the pool, executed or refused. */
  readonly taken: readonly WaitingMessage[];
  /** Messages imported from queues. */
  readonly imported: readonly QueuedMessage[];
  readonly endLt: bigint;
}

interface Tools {
  readonly machine: Machine;
  readonly accounts: AccountTable;
}

/** External messages get up to a quarter of a block, however long the queues are. */
const POOL_SHARE = 1 / 4;

/**
 * Executes the transactions of a block: ticks, messages from queues, external messages, messages sent within the shard by these, and
 * tocks. If messages from queues remain, those sent within the shard wait too, so messages are executed in order of creation.
 * Removes the executed messages from the shard's queue and pool, and updates the accounts.
 */
export async function collate({ machine, accounts }: Tools, shard: Shard, frame: BlockFrame): Promise<Collation> {
  const run = runner(accounts, shard, frame);
  const imported: QueuedMessage[] = [];
  const taken: WaitingMessage[] = [];
  for (const hash of frame.tickTockAccounts) await run.tickTock(hash, (context) => machine.tickTock("tick", context));
  if (frame.first) await run.external(readMessageHeader(frame.first).destination as AccountId, writeBoc(frame.first), machine);

  const forPool = Math.min(shard.pool.length, Math.floor(frame.limit * POOL_SHARE));
  while (frame.isImporting && shard.inbound.length > imported.length && run.count() < frame.limit - forPool) {
    const queued = shard.inbound[imported.length] as QueuedMessage;
    imported.push(queued);
    await run.message(queued.message, machine, queued);
  }
  shard.inbound.splice(0, imported.length);

  while (shard.pool.length > taken.length && run.count() < frame.limit) {
    const waiting = shard.pool[taken.length] as WaitingMessage;
    taken.push(waiting);
    await run.external(waiting.to, waiting.boc, machine);
  }
  shard.pool.splice(0, taken.length);

  while (shard.inbound.length === 0 && run.count() < frame.limit) {
    const message = run.sent.shift();
    if (!message) break;
    await run.message(message, machine);
  }
  for (const hash of frame.tickTockAccounts) await run.tickTock(hash, (context) => machine.tickTock("tock", context));
  return { ...run.result(), taken, imported };
}

/** Executes transactions of one block in order, and collects their results. */
function runner(accounts: AccountTable, shard: Shard, { startLt, time, randomSeed, config }: BlockFrame) {
  const transactions: BlockTransaction[] = [];
  const touched = new Map<string, TouchedAccount & { readonly nextLt: bigint }>();
  const befores = new Map<string, { readonly account: string; readonly before: Cell }>();
  const sent = sortedQueue<MessageHeader>((message) => message.createdLt);
  const { workchain } = shard.state.shard;
  let endLt = startLt + 1n;
  let tickTocks = 0;

  /**
   * An account before the block. The state of a shard has no entry of a deleted account, so one that is made again in a later block has no
   * previous transaction. Within a block it has.
   */
  const accountBefore = (hash: Uint8Array): { readonly account: string; readonly before: Cell } => {
    const name = toBinaryString(hash);
    const known = befores.get(name);
    if (known) return known;
    const account = accounts.get({ workchain, hash });
    const before = readBoc(Buffer.from(account, "base64"));
    const found = readShardAccount(before, "digest") ? { account, before } : { account: ABSENT, before: absentShardAccount() };
    befores.set(name, found);
    return found;
  };

  /** The next lt of an account is above the block's start, the account's last lt and the message's lt. */
  const contextOf = (hash: Uint8Array, above: bigint): ExecutionContext => {
    const changed = touched.get(toBinaryString(hash));
    const account = changed ? accounts.get({ workchain, hash }) : accountBefore(hash).account;
    const next = changed?.nextLt ?? startLt + 1n;
    return { config, account, time, randomSeed, lt: next > above ? next : above + 1n };
  };

  const keep = (hash: Uint8Array, context: ExecutionContext, executed: Executed, from?: QueuedMessage): void => {
    const transaction = readTransactionHeader(readBoc(Buffer.from(executed.transaction, "base64")));
    const { lt } = context;
    if (transaction.lt !== lt) throw new Error(`a transaction has lt ${transaction.lt}, expected ${lt}`);
    const accountBoc = Buffer.from(executed.account, "base64");
    const shardAccount = readBoc(accountBoc);
    const nextLt = lt + BigInt(transaction.outMessages.length) + 1n;
    if (nextLt > endLt) endLt = nextLt;
    transactions.push({ transaction, account: readShardAccount(shardAccount, "digest"), ...(from ? { from } : {}) });
    accounts.set({ workchain, hash }, executed.account);
    const { before } = accountBefore(hash);
    touched.set(toBinaryString(hash), { account: { workchain, hash }, before, shardAccount, boc: accountBoc, nextLt });
    for (const message of transaction.outMessages) {
      if (message.destination && containsAccount(shard.state.shard, message.destination)) sent.add(message);
    }
  };

  return {
    sent,
    count: () => transactions.length - tickTocks,
    async tickTock(hash: Uint8Array, by: (context: ExecutionContext) => Promise<Executed>): Promise<void> {
      const context = contextOf(hash, 0n);
      keep(hash, context, await by(context));
      tickTocks += 1;
    },
    async message(message: MessageHeader, machine: Machine, from?: QueuedMessage): Promise<void> {
      const { hash } = message.destination as AccountId;
      const context = contextOf(hash, message.createdLt);
      const executed = await machine.deliver(writeBoc(message.cell), context);
      if ("refused" in executed) throw new Error(`an internal message was refused: ${executed.refused}`);
      keep(hash, context, executed, from);
    },
    async external(to: AccountId, boc: Uint8Array, machine: Machine): Promise<void> {
      const context = contextOf(to.hash, 0n);
      const executed = await machine.deliver(boc, context);
      if (!("refused" in executed)) keep(to.hash, context, executed);
    },
    result: () => ({ transactions, touched: Array.from(touched.values()), endLt }),
  };
}

/** A queue that returns the smallest item first, and equal ones in order of insertion. */
interface SortedQueue<T> {
  add(item: T): void;
  shift(): T | undefined;
}

/** A queue sorted by a key. Insertion sort, since most items are added in order. */
export function sortedQueue<T>(keyOf: (item: T) => bigint): SortedQueue<T> {
  const items: T[] = [];
  let first = 0;
  return {
    add(item) {
      const key = keyOf(item);
      let at = items.length;
      while (at > first && keyOf(items[at - 1] as T) > key) at -= 1;
      items.splice(at, 0, item);
    },
    shift() {
      const item = items[first];
      if (first < items.length) first += 1;
      return item;
    },
  };
}
