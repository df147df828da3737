import { isSuspended } from "@chain-query/format/accounts";
import { hex, isEqual } from "@chain-query/format/cells";
import { EXTERNAL_QUEUE_LIMIT } from "@chain-query/format/states";
import { ChainStoreError } from "@chain-query/format/store";
import type { ChainReader } from "@chain-query/local-chain";
import { openChain } from "@chain-query/local-chain/reader";
import type { ChainSource, Head, ShardQueue } from "../chain-source.ts";
import { type ChainIdentity, chainFile, checkFile, checkIdentity } from "./chain-identity.ts";
import { configAccount, suspendedLists } from "./suspended.ts";

/** Options of a local chain. */
interface LocalChainOptions {
  /** Seconds after which transactions are archival; by default the value of its creation. */
  readonly retention?: number | undefined;
  /** The chain that the folder has to hold; by default the present one. */
  readonly identity?: ChainIdentity | undefined;
}

/**
 * A chain in a local folder. Every process that opens it sees each block as soon as it is committed. If the file is removed or replaced
 * later, it still reads the one that it opened, see {@link folderProblem}.
 *
 * @throws ChainStoreError if the folder holds no chain, one of another version, a damaged one, or another one than expected.
 *
 * @example
 * ```ts
 * const source = localChainSource("my-chain");
 * ```
 */
export function localChainSource(directory: string, options: LocalChainOptions = {}): ChainSource {
  const chain = openChain(directory);
  try {
    const found = { file: chainFile(directory) ?? "", zeroState: hex(chain.genesis().block.rootHash) };
    if (options.identity !== undefined) checkIdentity(directory, options.identity, found);
  } catch (error) {
    void chain.close();
    throw error;
  }
  return sourceOf(chain, options.retention);
}

/** Why the folder of an opened chain does not hold it any more, in words for anyone; undefined if it does. */
export function folderProblem(directory: string, opened: ChainIdentity): string | undefined {
  try {
    checkFile(directory, opened);
    return undefined;
  } catch (error) {
    const what = error instanceof ChainStoreError ? "was removed or replaced" : "cannot be read";
    return `the chain of this service ${what}`;
  }
}

interface Snapshot {
  readonly head: Head;
  /** Read on demand. */
  queues?: readonly ShardQueue[];
}

function sourceOf(chain: ChainReader, retention: number | undefined): ChainSource {
  const genesis = chain.genesis();
  const kept = retention ?? chain.head().block.time - chain.retainedSince();
  const lists = suspendedLists();
  let last: Snapshot | undefined;
  let isFresh = false;

  /**
   * The head as of the current tick of the event loop, so that the store is read once for all requests of a tick. The same object is
   * returned until the head changes, so that results can be cached by it.
   */
  const snapshot = (): Snapshot => {
    if (isFresh && last !== undefined) return last;
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
    const head = chain.head();
    if (last === undefined || last.head.block.id.seqno !== head.block.id.seqno) last = { head };
    return last;
  };

  const queues = (): readonly ShardQueue[] => {
    const current = snapshot();
    current.queues ??= chain.shards().map(({ id, queueSize }) => ({ id, size: queueSize }));
    return current.queues;
  };

  return {
    head: () => snapshot().head,
    // All processes read one store, so every committed block is available to all of them.
    consensus: () => snapshot().head.block,
    genesis: () => genesis,
    account: (account, asOfSeqno) => {
      const found = chain.account(account, asOfSeqno);
      if (found === undefined) return undefined;
      const { seqno } = found.block.id;
      const { list } = lists.get(seqno) ?? lists.keep(seqno, chain.account(configAccount, seqno)?.data);
      return { ...found, isSuspended: isSuspended(list, account, found.block.time) };
    },
    newestTransactions: (account) => {
      const id = chain.account(account)?.last;
      return id === undefined || id.lt === 0n ? undefined : { id };
    },
    transactions: (account, range, limit) => {
      const { from, aboveLt } = range;
      const found = firstOf(chain.transactions(account, { fromLt: from.lt, aboveLt }), limit);
      return found[0] !== undefined && isEqual(found[0].id.hash, from.hash) ? found : [];
    },
    block: (shard, selector) => chain.block(shard, selector),
    shards: () => queues().map(({ id }) => id),
    queues,
    findSender: (message) => chain.locate(message).producer,
    findReceiver: (message) => chain.locate(message).consumer,
    retainedSince: (at = snapshot().head) => at.block.time - kept,
    externalQueueLimit: EXTERNAL_QUEUE_LIMIT,
    close: () => chain.close(),
  };
}

function firstOf<Value>(values: Iterable<Value>, count: number): Value[] {
  const first: Value[] = [];
  for (const value of values) {
    first.push(value);
    if (first.length === count) break;
  }
  return first;
}
