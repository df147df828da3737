/** A live network, read through its lite servers. */

import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { EXTERNAL_QUEUE_LIMIT } from "@chain-query/format/states";
import type { AccountId, BlockId, ShardId } from "@chain-query/format/store";
import {
  isBehind,
  isMissing,
  isMissingSomewhere,
  type LiteBlockSelector,
  type LiteClient,
  type LiteHead,
  type LiteReadOptions,
} from "@chain-query/lite";
import {
  type BlockSummary,
  type ChainSource,
  type Head,
  type HistoryRange,
  isArchival,
  type ShardQueue,
  type SourceAccount,
  SourceError,
  sourceError,
} from "../chain-source.ts";
import { isSameHash } from "../convert/bytes.ts";
import { accountState, transactionOf } from "../convert/cells.ts";
import { setWaitingFor } from "../deadline.ts";
import { budgetOf } from "../query-budget.ts";
import { SharedWork } from "../shared-work.ts";
import type { LiteNetwork } from "./lite-network.ts";

/** Options of a network. */
export interface LiteSourceOptions {
  readonly network: Pick<LiteNetwork, "client" | "hasArchive" | "problem" | "close">;
  /** The head as of which everything is read; default: the newest one of the lite servers. */
  readonly head?: () => LiteHead | undefined;
  /** Seconds after which transactions are archival; default: those that the servers refuse are. */
  readonly retention?: number | undefined;
}

/** The results as of one head. */
interface Snapshot {
  readonly newest: LiteHead;
  readonly head: Head;
  /** Read on demand. */
  shards?: readonly BlockId[];
  queues?: readonly ShardQueue[];
}

/**
 * A network behind lite servers. Everything is read as of the newest head of the service, so that responses never go back.
 *
 * @example
 * ```ts
 * const source = liteServerSource({ network });
 * ```
 */
export function liteServerSource({ network, head, retention }: LiteSourceOptions): ChainSource {
  let last: Snapshot | undefined;
  let isFresh = false;
  const shardReads = new SharedWork<readonly BlockId[]>();
  const queueReads = new SharedWork<readonly ShardQueue[]>();

  /** The newest head. After a reload, the new servers may be a little behind. */
  const newestHead = (): LiteHead | undefined => {
    const own = network.client.head;
    return own && last && last.newest.block.seqno > own.block.seqno ? last.newest : own;
  };

  /** The results as of the newest head in the current tick of the event loop. */
  const snapshot = (): Snapshot => {
    if (isFresh && last !== undefined) return last;
    const { client, problem } = network;
    const newest = (head ?? newestHead)();
    if (problem !== undefined) throw new SourceError("unavailable", problem);
    if (newest === undefined) throw new SourceError("unavailable", client.problem ?? "no masterchain block is known yet");
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
    if (last?.newest !== newest) last = { newest, head: { block: summaryOf(newest) } };
    return last;
  };

  const read = <Result>(
    run: (options: LiteReadOptions) => Promise<Result>,
    signal: AbortSignal,
    mayUseArchive = true,
  ): Promise<Result> => readLite(network, snapshot().newest.block, run, signal, mayUseArchive);

  const lookUp = (shard: ShardId, selector: LiteBlockSelector, signal: AbortSignal): Promise<BlockSummary | undefined> =>
    read((options) => network.client.lookupBlock(shard, selector, options), signal);

  /** Whether the block of a logical time proves that an account has no such transaction. False if no server has the block. */
  const isAbsent = async (account: AccountId, range: HistoryRange, signal: AbortSignal): Promise<boolean> => {
    const { from, archival } = range;
    try {
      const found = await read((options) => network.client.findTransaction(account, from.lt, options), signal, archival);
      return found === undefined || !isSameHash(found.id.hash, from.hash);
    } catch (error) {
      if (isArchival(error)) return false;
      throw error;
    }
  };

  const transactions: ChainSource["transactions"] = async (account, range, limit, signal) => {
    const { from, aboveLt, archival } = range;
    if (from.lt <= aboveLt || from.lt > snapshot().head.block.endLt) return [];
    try {
      const read16 = (options: LiteReadOptions) => network.client.getTransactions(account, from, limit, options);
      const found = await read(read16, signal, archival);
      return found.filter(({ id }) => id.lt > aboveLt).map(transactionOf);
    } catch (error) {
      // A server that cannot be asked now may have it, unless a block proves that it does not exist.
      const cause = error instanceof Error ? error.cause : undefined;
      const isRefused = isArchival(error) || isMissingSomewhere(cause) || isBehind(cause);
      if (isRefused && (await isAbsent(account, range, signal))) return [];
      if (!isArchival(error)) throw error;
      throw new SourceError("archival", tooOld(from.lt, archival), { cause: error });
    }
  };

  return {
    head: () => snapshot().head,
    consensus: () => snapshot().head.block,
    genesis: () => ({ block: network.client.zeroState }),
    async account(account, asOfSeqno, signal): Promise<SourceAccount | undefined> {
      const { newest } = snapshot();
      if (asOfSeqno !== undefined && asOfSeqno > newest.block.seqno) return undefined;
      const found = await read(async (options) => {
        const at = asOfSeqno === undefined ? newest.block : await blockIdOf(network.client, asOfSeqno, newest, options);
        return network.client.getAccount(account, { ...options, at });
      }, signal);
      return accountState(account, found);
    },
    async newestTransactions(account, _limit, _at, _archival, signal) {
      const { last: id } = await read((options) => network.client.getAccount(account, options), signal);
      return id.lt === 0n ? undefined : { id };
    },
    transactions,
    async block(shard, selector, signal) {
      return isSelectable(shard, selector, snapshot().head) ? lookUp(shard, selector, signal) : undefined;
    },
    async shards(signal) {
      const current = snapshot();
      const readShards = (shared: AbortSignal) => read((options) => network.client.getShards(options), shared);
      current.shards ??= await shardReads.run(String(current.head.block.id.seqno), readShards, signal);
      return current.shards;
    },
    async queues(signal) {
      const current = snapshot();
      const readQueues = async (shared: AbortSignal) => {
        const sizes = await read((options) => network.client.getQueueSizes(options), shared);
        return sizes.map(({ block, size }) => ({ id: block, size }));
      };
      current.queues ??= await queueReads.run(String(current.head.block.id.seqno), readQueues, signal);
      return current.queues;
    },
    async findSender(message, signal) {
      if (message.createdLt > snapshot().head.block.endLt) return undefined;
      const found = await read((options) => network.client.findSender(message, options), signal);
      return found && transactionOf(found);
    },
    async findReceiver(message, signal) {
      if (message.createdLt > snapshot().head.block.endLt) return undefined;
      const found = await read((options) => network.client.findReceiver(message, options), signal);
      return found && transactionOf(found);
    },
    retainedSince: (at = snapshot().head) => (retention === undefined ? 0 : at.block.time - retention),
    externalQueueLimit: EXTERNAL_QUEUE_LIMIT,
    close: async () => {
      await network.close();
    },
  };
}

/** Reads as of a block from servers with recent blocks and, if these do not have it, from archival ones. */
export async function readLite<Result>(
  network: Pick<LiteNetwork, "hasArchive">,
  at: BlockId,
  run: (options: LiteReadOptions) => Promise<Result>,
  signal: AbortSignal,
  mayUseArchive = true,
): Promise<Result> {
  setWaitingFor(signal, "the network of lite servers");
  const budget = budgetOf(signal);
  const options = { at, budget, yields: budget === undefined || budget.client !== undefined, signal };
  try {
    return await run(options).catch((error: unknown) => {
      if (!isMissingSomewhere(error) || !mayUseArchive || !network.hasArchive) throw error;
      return run({ ...options, archival: true });
    });
  } catch (error) {
    throw signal.aborted ? signal.reason : readError(error, network.hasArchive);
  }
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

/** Whether a block may exist at or before the head. Others are not queried. */
function isSelectable({ workchain, shard }: ShardId, selector: LiteBlockSelector, { block }: Head): boolean {
  if (shard === 0n) return false;
  if ("time" in selector) return selector.time <= block.time;
  if ("lt" in selector) return selector.lt <= block.endLt;
  return selector.seqno > 0 && (workchain !== MASTERCHAIN.workchain || selector.seqno <= block.id.seqno);
}

function tooOld(lt: bigint, archival: boolean): string {
  return archival
    ? `lt ${lt} is not in the history of this node's lite servers`
    : `lt ${lt} is not in this node's history, use archival=true to reach it`;
}

/** The error for the caller. Another refusal is a fault of the request, and so of this service. */
function readError(error: unknown, hasArchive: boolean): unknown {
  if (isMissing(error)) {
    const cure = hasArchive ? "" : "; it takes archival ones, which this service does not have (--lite-archival)";
    return new SourceError("archival", `this is not in the history of the lite servers${cure}`, { cause: error });
  }
  const unavailable = isMissingSomewhere(error)
    ? "the lite servers that answer do not have this, and others cannot be asked now"
    : "no lite server gave a valid answer";
  return sourceError(error, { slow: "the lite servers did not answer in time", unavailable });
}
