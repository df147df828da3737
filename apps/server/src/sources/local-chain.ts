import { existsSync } from "node:fs";
import { join } from "node:path";
import { type BlockHeader, type ChainReader, type Head, openChain } from "@chain-query/local-chain";
import type { ChainSource } from "../chain-source.ts";

/** The queue size above which networks of this family accept no external messages. */
const externalQueueLimit = 8000;

/** Whether a folder holds a complete chain. */
export function hasChain(folder: string): boolean {
  return existsSync(join(folder, "chain.mdb"));
}

/**
 * A chain in a local folder. Every process that opens it sees each block as soon as it is committed.
 *
 * @param retention - Seconds after which transactions are archival; by default what the chain was created with.
 * @throws ChainStoreError if the folder holds no chain, one of another version, or a damaged one.
 *
 * @example
 * ```ts
 * const source = localChainSource("my-chain");
 * ```
 */
export function localChainSource(directory: string, retention?: number): ChainSource {
  return sourceOf(openChain(directory), retention);
}

interface Snapshot {
  readonly head: Head;
  /** Read on demand. */
  shards?: readonly BlockHeader[];
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

  return {
    head: () => snapshot().head,
    // All processes read one store, so every committed block is available to all of them.
    consensus: () => snapshot().head.block,
    genesis: () => genesis,
    account: (account, asOfSeqno) => chain.account(account, asOfSeqno),
    transactions: (account, range, limit) => firstOf(chain.transactions(account, range), limit),
    block: (shard, selector) => chain.block(shard, selector),
    shards: () => {
      const current = snapshot();
      current.shards ??= chain.shards();
      return current.shards;
    },
    locate: (message) => chain.locate(message),
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
