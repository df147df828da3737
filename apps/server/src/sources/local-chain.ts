import { type ChainReader, ChainStoreError, openChain } from "@chain-query/local-chain";
import { type ChainSource, type Head, type ShardQueue, SourceError } from "../chain-source.ts";
import { isSameHash } from "../convert/bytes.ts";
import { type ChainIdentity, chainFile, checkFile, checkIdentity } from "./chain-identity.ts";

/** The queue size above which networks of this family accept no external messages. */
const externalQueueLimit = 8000;

/** Milliseconds between two checks of the folder. */
const checkInterval = 1000;

/** Options of a local chain. */
export interface LocalChainOptions {
  /** Seconds after which transactions are archival; by default what the chain was created with. */
  readonly retention?: number | undefined;
  /** The chain that the folder has to hold; by default the one that it holds now. */
  readonly identity?: ChainIdentity | undefined;
  /** Called when the folder no longer holds that chain, with the reason, and when it holds it again. */
  readonly onFolderChange?: (problem: string | undefined) => void;
}

/**
 * A chain in a local folder. Every process that opens it sees each block as soon as it is committed. If the file is removed or replaced
 * later, every call throws a {@link SourceError} until it is back.
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
  const zeroState = Buffer.from(chain.genesis().block.rootHash).toString("hex");
  const opened = { file: chainFile(directory) ?? "", zeroState };
  try {
    if (options.identity !== undefined) checkIdentity(directory, options.identity, opened);
  } catch (error) {
    void chain.close();
    throw error;
  }
  const zero = zeroStateOf(chain);
  const check = (): void => {
    checkFile(directory, opened);
    if (!zero.equals(zeroStateOf(chain))) throw new ChainStoreError(`${directory} was overwritten: it has another zero state`);
  };
  return whileFolderHolds(sourceOf(chain, options.retention), check, options.onFolderChange);
}

/** A source that checks its folder once a second, and cannot be read while the check fails. */
function whileFolderHolds(source: ChainSource, check: () => void, onChange?: LocalChainOptions["onFolderChange"]): ChainSource {
  let problem: string | undefined;
  const timer = setInterval(() => {
    const found = problemOf(check);
    if (found !== problem) onChange?.(found);
    problem = found;
  }, checkInterval);
  timer.unref();
  const guarded = <Args extends unknown[], Result>(read: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      if (problem === undefined) return read(...args);
      throw new SourceError("unavailable", "the chain of this service was removed or replaced");
    };
  };
  return {
    head: guarded(source.head),
    consensus: guarded(source.consensus),
    genesis: guarded(source.genesis),
    account: guarded(source.account),
    newestTransaction: guarded(source.newestTransaction),
    transactions: guarded(source.transactions),
    block: guarded(source.block),
    shards: guarded(source.shards),
    queues: guarded(source.queues),
    findSender: guarded(source.findSender),
    findReceiver: guarded(source.findReceiver),
    retainedSince: guarded(source.retainedSince),
    externalQueueLimit: source.externalQueueLimit,
    close: () => {
      clearInterval(timer);
      return source.close();
    },
  };
}

function zeroStateOf(chain: ChainReader): Buffer {
  return Buffer.from(chain.blockData(chain.genesis().block) ?? []);
}

function problemOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
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
  let last: Snapshot | undefined;
  let isFresh = false;

  /**
   * The head as of the current turn of the event loop, so that the store is read once for all requests of a turn. The same object is
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
    account: (account, asOfSeqno) => chain.account(account, asOfSeqno),
    newestTransaction: (account) => firstOf(chain.transactions(account), 1)[0]?.id,
    transactions: (account, range, limit) => {
      const { from, aboveLt } = range;
      const found = firstOf(chain.transactions(account, { fromLt: from.lt, aboveLt }), limit);
      return found[0] !== undefined && isSameHash(found[0].id.hash, from.hash) ? found : [];
    },
    block: (shard, selector) => chain.block(shard, selector),
    shards: () => queues().map(({ id }) => id),
    queues,
    findSender: (message) => chain.locate(message).producer,
    findReceiver: (message) => chain.locate(message).consumer,
    retainedSince: () => snapshot().head.block.time - kept,
    externalQueueLimit,
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
