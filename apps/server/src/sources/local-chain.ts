import { isSuspended } from "@chain-query/format/accounts";
import { hex, isEqual } from "@chain-query/format/cells";
import { EXTERNAL_QUEUE_LIMIT } from "@chain-query/format/states";
import { ChainStoreError } from "@chain-query/format/store";
import type { ChainReader } from "@chain-query/local-chain";
import { openChain } from "@chain-query/local-chain/reader";
import { type ChainSource, type Head, type ShardQueue, SourceError, wrapReads } from "../chain-source.ts";
import { messageOf } from "../failure.ts";
import { type ChainIdentity, chainFile, checkFile, checkIdentity } from "./chain-identity.ts";
import { configAccount, suspendedLists } from "./suspended.ts";

/** Milliseconds between two checks of the folder. */
const checkInterval = 1000;

/** Options of a local chain. */
interface LocalChainOptions {
  /** Seconds after which transactions are archival; by default the value of its creation. */
  readonly retention?: number | undefined;
  /** The chain that the folder has to hold; by default the present one. */
  readonly identity?: ChainIdentity | undefined;
  /** Called when the folder no longer holds that chain or it cannot be read, with the reason, and when it can be read again. */
  readonly onFolderChange?: (problem: string | undefined) => void;
}

/**
 * A chain in a local folder. Every process that opens it sees each block as soon as it is committed. If the file is removed or replaced
 * later, or cannot be read, every call throws a {@link SourceError} until it can be read again.
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
  const zeroState = hex(chain.genesis().block.rootHash);
  const opened = { file: chainFile(directory) ?? "", zeroState };
  try {
    if (options.identity !== undefined) checkIdentity(directory, options.identity, opened);
  } catch (error) {
    void chain.close();
    throw error;
  }
  const zero = zeroStateOf(chain);
  const check = (): Problem | undefined => folderProblem(directory, opened) ?? readingProblem(directory, chain, zero);
  return whileReadable(sourceOf(chain, options.retention), check, options.onFolderChange);
}

/** Why a chain cannot be read. */
interface Problem {
  /** For the operator. */
  readonly reason: string;
  /** For callers: names nothing of the machine. */
  readonly text: string;
}

const replaced = "the chain of this service was removed or replaced";
const unreadable = "the chain of this service cannot be read";

function folderProblem(directory: string, opened: ChainIdentity): Problem | undefined {
  try {
    checkFile(directory, opened);
    return undefined;
  } catch (error) {
    return { reason: messageOf(error), text: error instanceof ChainStoreError ? replaced : unreadable };
  }
}

function readingProblem(directory: string, chain: ChainReader, zero: Buffer): Problem | undefined {
  try {
    chain.head();
    if (zero.equals(zeroStateOf(chain))) return undefined;
    return { reason: `${directory} was overwritten: it has another zero state`, text: replaced };
  } catch (error) {
    return { reason: `${directory} cannot be read: ${messageOf(error)}`, text: unreadable };
  }
}

/** A source that is checked once a second, and cannot be read while the check finds a problem. */
function whileReadable(
  source: ChainSource,
  check: () => Problem | undefined,
  onChange?: LocalChainOptions["onFolderChange"],
): ChainSource {
  let problem: Problem | undefined;
  const timer = setInterval(() => {
    const found = check();
    if (found?.reason !== problem?.reason) onChange?.(found?.reason);
    problem = found;
  }, checkInterval);
  timer.unref();
  const guarded = wrapReads(source, (read) => (...args) => {
    if (problem === undefined) return read(...args);
    throw new SourceError("unavailable", problem.text);
  });
  return {
    ...guarded,
    close: () => {
      clearInterval(timer);
      return source.close();
    },
  };
}

function zeroStateOf(chain: ChainReader): Buffer {
  return Buffer.from(chain.blockData(chain.genesis().block) ?? []);
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
