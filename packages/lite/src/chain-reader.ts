/** A live network as a `ChainReader`. */
import { setWaitingFor } from "@chain-query/format/async";
import { isEqual, writeBoc } from "@chain-query/format/cells";
import { type BlockSelector, MASTERCHAIN } from "@chain-query/format/identifiers";
import {
  type AccountId,
  type BlockId,
  type BlockSummary,
  ChainReadError,
  type ChainReader,
  type Head,
  type HistoryRange,
  isArchival,
  type ReadAccount,
  type ReadTransaction,
  type ShardId,
} from "@chain-query/format/store";
import { describeAccount, describeTransaction } from "@chain-query/proof/accounts";
import type { LiteHead } from "./head/heads.ts";
import type { LiteClient, LiteReadOptions } from "./lite-client.ts";
import type { LiteAccount, LiteTransaction } from "./read/accounts.ts";
import { isBehind, isMissing, isMissingSomewhere } from "./servers/fault.ts";

/** The servers that are read now; their list may be replaced. */
export interface ReadNetwork {
  readonly client: LiteClient;
  /** Whether there are servers with the whole history. */
  readonly hasArchive: boolean;
  /** Why nothing can be read, in words for callers. */
  readonly problem: string | undefined;
  close(): Promise<void>;
}

/** Options of {@link liteChainReader}. */
export interface LiteReaderOptions {
  readonly network: ReadNetwork;
  /** Seconds after which transactions are archival; default: those that the servers refuse are. */
  readonly retention?: number | undefined;
  /** Who pays for the queries of a read. */
  readonly costOf?: CostOf;
}

type CostOf = (signal: AbortSignal) => Pick<LiteReadOptions, "budget" | "yields">;

/**
 * Reads a network through its lite servers. Its heads never go back. Rejects with a `ChainReadError` of kind "archival" if servers do not
 * have so old history, with the errors of the client otherwise.
 *
 * @example
 * ```ts
 * const reader = liteChainReader({ network: { client, hasArchive: false, problem: undefined, close: () => client.close() } });
 * ```
 */
export function liteChainReader({ network, retention, costOf }: LiteReaderOptions): ChainReader {
  let last: { readonly newest: LiteHead; readonly head: Head } | undefined;
  let isFresh = false;

  /** The newest head. After a reload, the new servers may be a little behind. */
  const newestHead = (): LiteHead | undefined => {
    const own = network.client.head;
    return own && last && last.newest.block.seqno > own.block.seqno ? last.newest : own;
  };

  const requireReadable = (): void => {
    if (network.problem !== undefined) throw new ChainReadError("unavailable", network.problem);
  };

  /** The newest head in the current tick of the event loop. */
  const head = (): Head => {
    if (isFresh && last !== undefined) return last.head;
    requireReadable();
    const newest = newestHead();
    if (newest === undefined)
      throw new ChainReadError("unavailable", network.client.problem ?? "no masterchain block is known yet");
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
    if (last?.newest !== newest) last = { newest, head: { block: summaryOf(newest) } };
    return last.head;
  };

  const read = async <Result>(run: Read<Result>, at: Head, signal: AbortSignal, mayUseArchive = true): Promise<Result> => {
    requireReadable();
    return readLite(network, { at: at.block.id, mayUseArchive, costOf }, run, signal);
  };

  /** Whether the block of a logical time proves that an account has no such transaction. False if no server has the block. */
  const isAbsent = async (account: AccountId, range: HistoryRange, at: Head, signal: AbortSignal): Promise<boolean> => {
    const { from, archival } = range;
    try {
      const found = await read((options) => network.client.findTransaction(account, from.lt, options), at, signal, archival);
      return found === undefined || !isEqual(found.id.hash, from.hash);
    } catch (error) {
      if (isArchival(error)) return false;
      throw error;
    }
  };

  return {
    head,
    consensus: () => head().block,
    genesis: () => ({ block: network.client.zeroState }),
    async account(account, asOfSeqno, head, signal) {
      const seqno = asOfSeqno ?? head.block.id.seqno;
      if (seqno > head.block.id.seqno) return undefined;
      const found = await read(
        async (options) => {
          const at = await blockIdOf(network.client, seqno, head, options);
          return network.client.getAccount(account, { ...options, at });
        },
        head,
        signal,
      );
      return accountState(account, found);
    },
    async newestTransactions(account, _limit, at, _archival, signal) {
      const { last: id } = await read((options) => network.client.getAccount(account, options), at, signal);
      return id.lt === 0n ? undefined : { id };
    },
    async history(account, range, limit, at, signal) {
      const { from, aboveLt, archival } = range;
      if (from.lt <= aboveLt || from.lt > at.block.endLt) return [];
      try {
        const readPart: Read<readonly LiteTransaction[]> = (options) =>
          network.client.getTransactions(account, from, limit, options);
        const found = await read(readPart, at, signal, archival);
        return found.filter(({ id }) => id.lt > aboveLt).map(transactionOf);
      } catch (error) {
        // A server that cannot be asked now may have it, unless a block proves that it does not exist.
        const isRefused = isArchival(error) || isMissingSomewhere(error) || isBehind(error);
        if (isRefused && (await isAbsent(account, range, at, signal))) return [];
        if (!isArchival(error)) throw error;
        throw new ChainReadError("archival", tooOld(from.lt, archival), { cause: error });
      }
    },
    async block(shard, selector, at, signal) {
      if (!isSelectable(shard, selector, at)) return undefined;
      return read((options) => network.client.lookupBlock(shard, selector, options), at, signal);
    },
    async shards({ block: { id: at } }, signal) {
      const found = await readLite(network, { at, costOf }, (options) => network.client.getShards(options), signal);
      return found.map((id) => ({ id }));
    },
    async queues({ block: { id: at } }, signal) {
      const sizes = await readLite(network, { at, costOf }, (options) => network.client.getQueueSizes(options), signal);
      return sizes.map(({ block, size }) => ({ id: block, queueSize: size }));
    },
    async findSender(message, at, signal) {
      if (message.createdLt > at.block.endLt) return undefined;
      const found = await read((options) => network.client.findSender(message, options), at, signal);
      return found && transactionOf(found);
    },
    async findReceiver(message, at, signal) {
      if (message.createdLt > at.block.endLt) return undefined;
      const found = await read((options) => network.client.findReceiver(message, options), at, signal);
      return found && transactionOf(found);
    },
    retainedSince: (at) => (retention === undefined ? 0 : at.block.time - retention),
    close: () => network.close(),
  };
}

type Read<Result> = (options: LiteReadOptions) => Promise<Result>;

/** Reads as of a block from servers with recent blocks and, if these do not have it, from archival ones. */
export async function readLite<Result>(
  { hasArchive }: Pick<ReadNetwork, "hasArchive">,
  {
    at,
    mayUseArchive = true,
    costOf,
  }: { readonly at: BlockId; readonly mayUseArchive?: boolean; readonly costOf?: CostOf | undefined },
  run: Read<Result>,
  signal: AbortSignal,
): Promise<Result> {
  setWaitingFor(signal, "the network of lite servers");
  const options = { at, ...costOf?.(signal), signal };
  try {
    return await run(options).catch((error: unknown) => {
      if (!isMissingSomewhere(error) || !mayUseArchive || !hasArchive) throw error;
      return run({ ...options, archival: true });
    });
  } catch (error) {
    if (!isMissing(error)) throw error;
    const cure = hasArchive ? "" : "; it takes archival ones, which this service does not have (--lite-archival)";
    throw new ChainReadError("archival", `this is not in the history of the lite servers${cure}`, { cause: error });
  }
}

function summaryOf({ block, endLt, time, stateRootHash }: LiteHead): BlockSummary {
  return { id: block, endLt, time, stateRootHash };
}

async function blockIdOf(client: LiteClient, seqno: number, head: Head, options: LiteReadOptions): Promise<BlockId> {
  if (seqno === head.block.id.seqno) return head.block.id;
  const block = await client.lookupBlock(MASTERCHAIN, { seqno }, options);
  if (block !== undefined) return block.id;
  throw new ChainReadError("archival", `masterchain block ${seqno} is not in the history of the lite servers`);
}

/** Whether a block may exist at or before the head. Others are not queried. */
function isSelectable({ workchain, shard }: ShardId, selector: BlockSelector, { block }: Head): boolean {
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

/** The state of an account. An account that does not exist is uninitialized and empty. */
export function accountState(account: AccountId, { account: found, last, isSuspended, block }: LiteAccount): ReadAccount {
  return describeAccount(found, { account, last, isSuspended, block }, writeBoc);
}

/** A transaction with its messages. */
export function transactionOf(found: LiteTransaction): ReadTransaction {
  return describeTransaction(found, writeBoc);
}
