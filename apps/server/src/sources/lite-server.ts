/** A live network, read through its lite servers. */

import type { AccountId, BlockId, ShardId } from "@chain-query/chain-store";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { EXTERNAL_QUEUE_LIMIT } from "@chain-query/format/states";
import {
  type LiteBlockSelector,
  type LiteClient,
  LiteError,
  type LiteHead,
  type LiteReadOptions,
} from "@chain-query/lite-client";
import {
  type AccountState,
  type BlockSummary,
  type ChainSource,
  type Head,
  type HistoryRange,
  type ShardQueue,
  SourceError,
  type Transaction,
} from "../chain-source.ts";
import { isSameHash } from "../convert/bytes.ts";
import { accountState, transactionOf } from "../convert/cells.ts";
import type { LiteNetwork } from "./lite-network.ts";
import type { Heads, NewestHeads } from "./newest-heads.ts";

/** Options of a network. */
export interface LiteSourceOptions {
  readonly network: LiteNetwork;
  readonly heads: NewestHeads<LiteHead>;
  /** Seconds for one read. */
  readonly timeout: number;
  /** Seconds after which transactions are archival; default: two days. */
  readonly retention?: number | undefined;
}

const defaultRetention = 172_800;
/** The codes of answers to requests for blocks and transactions that a server does not have. */
const tooOldCodes: readonly (number | undefined)[] = [-400, 410];
const missingCodes: readonly (number | undefined)[] = [...tooOldCodes, 651];

/** What one head is answered with. */
interface Snapshot {
  readonly heads: Heads<LiteHead>;
  readonly head: Head;
  readonly consensus: BlockSummary;
  /** Read on demand. */
  shards?: Promise<readonly BlockId[]>;
  queues?: Promise<readonly ShardQueue[]>;
}

/**
 * A network behind lite servers. Everything is read as of the newest head that any process of the service knows, so that the answers of
 * different processes never go back.
 *
 * @example
 * ```ts
 * const source = liteServerSource({ network, heads: newestHeads(({ block }) => block.seqno), timeout: 10 });
 * ```
 */
export function liteServerSource({ network, heads, timeout, retention = defaultRetention }: LiteSourceOptions): ChainSource {
  let last: Snapshot | undefined;
  let isFresh = false;

  /** The heads as of the current turn of the event loop. */
  const snapshot = (): Snapshot => {
    if (isFresh && last !== undefined) return last;
    const { head } = network.client;
    // The head has the same majority as a consensus block.
    const newest = heads.newest(head && { head, consensus: head });
    const { problem } = network;
    if (problem !== undefined) throw new SourceError("unavailable", problem);
    if (newest === undefined) throw new SourceError("unavailable", "no masterchain block is known yet");
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
    if (last?.heads.head !== newest.head) {
      last = { heads: newest, head: { block: summaryOf(newest.head) }, consensus: summaryOf(newest.consensus) };
    } else if (last.heads.consensus !== newest.consensus) {
      last = { ...last, heads: newest, consensus: summaryOf(newest.consensus) };
    }
    return last;
  };

  /** Reads from servers with recent blocks and, if these do not have it, from archival ones. */
  const read = async <Result>(run: (options: LiteReadOptions) => Promise<Result>, mayUseArchive = true): Promise<Result> => {
    const options = { at: snapshot().heads.head.block, signal: AbortSignal.timeout(timeout * 1000) };
    try {
      return await run(options).catch((error: unknown) => {
        if (!isMissing(error) || !mayUseArchive || !network.hasArchive) throw error;
        return run({ ...options, archival: true });
      });
    } catch (error) {
      throw sourceError(error);
    }
  };

  const lookUp = (shard: ShardId, selector: LiteBlockSelector): Promise<BlockSummary | undefined> =>
    read((options) => network.client.lookupBlock(shard, selector, options));

  /** Whether the block of a logical time proves that an account has no such transaction. Throws if no server has the block. */
  const isAbsent = async (account: AccountId, { from, archival }: HistoryRange): Promise<boolean> => {
    const found = await read((options) => network.client.findTransaction(account, from.lt, options), archival);
    return found === undefined || !isSameHash(found.id.hash, from.hash);
  };

  const readHistory = async (account: AccountId, range: HistoryRange, limit: number): Promise<readonly Transaction[]> => {
    const { from, aboveLt, archival } = range;
    if (from.lt <= aboveLt || from.lt > snapshot().head.block.endLt) return [];
    try {
      const found = await read((options) => network.client.getTransactions(account, from, limit, options), archival);
      return found.filter(({ id }) => id.lt > aboveLt).map(transactionOf);
    } catch (error) {
      if (!(error instanceof SourceError) || error.kind !== "archival") throw error;
      if (await isAbsent(account, range)) return [];
      throw new SourceError("archival", tooOld(from.lt, archival), { cause: error });
    }
  };

  return {
    head: () => snapshot().head,
    consensus: () => snapshot().consensus,
    genesis: () => ({ block: network.client.zeroState }),
    async account(account, asOfSeqno): Promise<AccountState | undefined> {
      const { head } = snapshot().heads;
      if (asOfSeqno !== undefined && asOfSeqno > head.block.seqno) return undefined;
      const found = await read(async (options) => {
        const at = asOfSeqno === undefined ? head.block : await blockIdOf(network.client, asOfSeqno, head, options);
        return network.client.getAccount(account, { ...options, at });
      });
      return accountState(account, found);
    },
    async newestTransaction(account) {
      const { last: newest } = await read((options) => network.client.getAccount(account, options));
      return newest.lt === 0n ? undefined : newest;
    },
    transactions: readHistory,
    async block(shard, selector) {
      return isSelectable(shard, selector, snapshot().head) ? lookUp(shard, selector) : undefined;
    },
    shards() {
      const current = snapshot();
      current.shards ??= forget(
        read((options) => network.client.getShards(options)),
        () => delete current.shards,
      );
      return current.shards;
    },
    queues() {
      const current = snapshot();
      current.queues ??= forget(
        read(async (options) => {
          const sizes = await network.client.getQueueSizes(options);
          return sizes.map(({ block, size }) => ({ id: block, size }));
        }),
        () => delete current.queues,
      );
      return current.queues;
    },
    async findSender(message) {
      if (message.createdLt > snapshot().head.block.endLt) return undefined;
      const found = await read((options) => network.client.findSender(message, options));
      return found && transactionOf(found);
    },
    async findReceiver(message) {
      if (message.createdLt > snapshot().head.block.endLt) return undefined;
      const found = await read((options) => network.client.findReceiver(message, options));
      return found && transactionOf(found);
    },
    retainedSince: (at = snapshot().head) => at.block.time - retention,
    externalQueueLimit: EXTERNAL_QUEUE_LIMIT,
    close: async () => {
      await Promise.all([network.close(), heads.close()]);
    },
  };
}

function summaryOf({ block, endLt, time, stateRootHash }: LiteHead): BlockSummary {
  return { id: block, endLt, time, stateRootHash };
}

async function blockIdOf(client: LiteClient, seqno: number, head: LiteHead, options: LiteReadOptions): Promise<BlockId> {
  if (seqno === head.block.seqno) return head.block;
  const block = await client.lookupBlock(MASTERCHAIN, { seqno }, options);
  if (block !== undefined) return block.id;
  throw new SourceError("archival", `masterchain block ${seqno} is not in the history of the lite servers`);
}

/** Whether a block may exist at or before the head. No server is asked for others. */
function isSelectable({ workchain, shard }: ShardId, selector: LiteBlockSelector, { block }: Head): boolean {
  if (shard === 0n) return false;
  if ("time" in selector) return selector.time <= block.time;
  if ("lt" in selector) return selector.lt <= block.endLt;
  return selector.seqno > 0 && (workchain !== MASTERCHAIN.workchain || selector.seqno <= block.id.seqno);
}

/** Forgets a promise that is rejected, so that the next caller tries again. */
function forget<Value>(promise: Promise<Value>, drop: () => void): Promise<Value> {
  promise.catch(drop);
  return promise;
}

function tooOld(lt: bigint, archival: boolean): string {
  return archival
    ? `lt ${lt} is not in the history of this node's lite servers`
    : `lt ${lt} is not in this node's history, use archival=true to reach it`;
}

/** Whether servers said that they do not have a block or a transaction. */
function isMissing(error: unknown): boolean {
  return error instanceof LiteError && missingCodes.includes(error.code);
}

/** The error for the caller. The client's own text may contain addresses of servers. */
function sourceError(error: unknown): unknown {
  const options = { cause: error };
  const isTimeout = error instanceof LiteError ? error.kind === "timeout" : error instanceof DOMException;
  if (isTimeout) return new SourceError("slow", "the lite servers did not answer in time", options);
  if (!(error instanceof LiteError)) return error;
  if (error.kind !== "refused") return new SourceError("unavailable", "no lite server gave a valid answer", options);
  // Another refusal is a fault of the request, and so of this service.
  return tooOldCodes.includes(error.code)
    ? new SourceError("archival", "this is not in the history of the lite servers", options)
    : error;
}
