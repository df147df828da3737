import { type BlockHeader, type ChainReader, type Head, openChain } from "@chain-query/local-chain";
import type { ChainSource } from "../chain-source.ts";

/** Messages in a queue above which networks of this family take none from outside. */
const externalQueueLimit = 8000;

/**
 * A chain in a folder of this machine. Every process that opens it sees each step as soon as it is committed, whole.
 *
 * @param retention - Seconds after which history is archival; what the chain was made with where absent.
 * @throws ChainStoreError where the folder holds no chain, another version's, or a damaged one.
 *
 * @example
 * ```ts
 * const source = localChainSource("my-chain");
 * ```
 */
export function localChainSource(directory: string, retention?: number): ChainSource {
  return sourceOf(openChain(directory), retention);
}

interface Moment {
  readonly head: Head;
  /** Made where somebody asks. */
  shards?: readonly BlockHeader[];
}

function sourceOf(chain: ChainReader, retention: number | undefined): ChainSource {
  const genesis = chain.genesis();
  const kept = retention ?? chain.head().block.time - chain.retainedSince();
  let last: Moment | undefined;
  let isFresh = false;

  /**
   * All calls of one turn of the event loop see one head, so that the store is asked once for all of them; and for as long as the head
   * stays, the very same objects are given, from which others know that nothing changed.
   */
  const now = (): Moment => {
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
    head: () => now().head,
    // There is one store, and whoever answers reads it: what is committed, all of them have.
    consensus: () => now().head.block,
    genesis: () => genesis,
    account: (account, asOfSeqno) => chain.account(account, asOfSeqno),
    transactions: (account, range, limit) => firstOf(chain.transactions(account, range), limit),
    block: (shard, selector) => chain.block(shard, selector),
    shards: () => {
      const moment = now();
      const shards = moment.shards ?? chain.shards();
      moment.shards = shards;
      return shards;
    },
    locate: (message) => chain.locate(message),
    retainedSince: () => now().head.block.time - kept,
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
