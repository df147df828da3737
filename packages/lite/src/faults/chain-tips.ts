/** Lite servers that report another newest block than the newest block of the chain. */
import { readBlockHeader, readBlockShards } from "@chain-query/format/blocks";
import { readBoc } from "@chain-query/format/cells";
import { type BlockId, intersects, type ShardId } from "@chain-query/format/identifiers";
import { readShardTops } from "@chain-query/format/states";
import { combine, type LiteBehaviour } from "../answers/behaviour.ts";
import type { LiteChain } from "../answers/lite-chain.ts";
import { changeAnswer } from "./false-answers.ts";

/**
 * A server that is behind: its newest block is some blocks older.
 *
 * @example
 * ```ts
 * const server = await startFaultyLiteServer({ chain, key, behaviours: [staleHead(50)] });
 * ```
 */
export function staleHead(blocks: number): LiteBehaviour {
  return { chain: (chain) => withParts(chain, { head: () => ancestor(chain, blocks) }) };
}

/** A server that stopped: its newest block is the one at its start. */
export function frozenHead(): LiteBehaviour {
  return {
    chain: (chain) => {
      const head = chain.head();
      return withParts(chain, { head: () => head });
    },
  };
}

/** Every second answer about the newest block names an older one. */
export function headGoesBack(blocks: number): LiteBehaviour {
  return {
    chain: (chain) => {
      let reads = 0;
      const head = (): BlockId => {
        reads += 1;
        return reads % 2 === 0 ? ancestor(chain, blocks) : chain.head();
      };
      return withParts(chain, { head });
    },
  };
}

/** A newest block with the right number and other hashes. */
export function forkedHead(): LiteBehaviour {
  return changeHead((id) => ({ ...id, rootHash: inverted(id.rootHash), fileHash: inverted(id.fileHash) }));
}

/** A newest block with a number that the chain reaches much later, and invented hashes. */
export function futureHead(blocks = 1_000_000): LiteBehaviour {
  return changeHead((id) => ({ ...id, seqno: id.seqno + blocks, rootHash: inverted(id.rootHash) }));
}

function changeHead(change: (id: BlockId) => BlockId): LiteBehaviour {
  return combine(
    changeAnswer("getMasterchainInfo", (answer) => ({ ...answer, last: change(answer.last) })),
    changeAnswer("getMasterchainInfoExt", (answer) => ({ ...answer, last: change(answer.last) })),
  );
}

/**
 * A node that applies shard blocks later than masterchain blocks: it does not have those that only the newest masterchain blocks commit.
 *
 * @param blocks - The number of these masterchain blocks, read for each call.
 */
export function laggingShards(blocks: () => number): LiteBehaviour {
  return {
    chain: (chain) => {
      const shardHead = (): BlockId => ancestor(chain, blocks());
      const has = (id: BlockId): boolean => id.workchain === -1 || id.seqno === 0 || isCommitted(chain, shardHead(), id);
      return withParts(chain, {
        shardHead,
        findBlock: (shard, selector) => {
          const found = chain.findBlock(shard, selector);
          return found && has(found) ? found : undefined;
        },
        blockData: (id) => (has(id) ? chain.blockData(id) : undefined),
        state: (id) => (has(id) ? chain.state(id) : undefined),
      });
    },
  };
}

/** A node whose search by time ends at the last block of a second: nodes may end at any of them, also at one that the client does not know. */
export function lastOfSecond(): LiteBehaviour {
  return {
    chain: (chain) => {
      const timeOf = (id: BlockId): number | undefined => {
        const boc = id.seqno === 0 ? undefined : chain.blockData(id);
        return boc && readBlockHeader(readBoc(boc)).time;
      };
      const last = (shard: ShardId, found: BlockId): BlockId => {
        const next = chain.findBlock(shard, { seqno: found.seqno + 1 });
        return next && timeOf(next) === timeOf(found) ? last(shard, next) : found;
      };
      return withParts(chain, {
        findBlock: (shard, selector) => {
          const found = chain.findBlock(shard, selector);
          return found && "time" in selector ? last(shard, found) : found;
        },
      });
    },
  };
}

/** Whether a shard block is one of a masterchain block's newest ones, or before them. */
function isCommitted(chain: LiteChain, { seqno, ...master }: BlockId, id: BlockId): boolean {
  const boc = seqno === 0 ? undefined : chain.blockData({ seqno, ...master });
  const tops = boc === undefined ? [] : readShardTops(readBlockShards(readBoc(boc)));
  return tops.some((top) => intersects(top, id) && id.seqno <= top.block.seqno);
}

function withParts(chain: LiteChain, parts: Partial<LiteChain>): LiteChain {
  return {
    head: () => chain.head(),
    zeroState: () => chain.zeroState(),
    findBlock: (shard, selector) => chain.findBlock(shard, selector),
    blockData: (id) => chain.blockData(id),
    state: (id) => chain.state(id),
    ...(chain.signatures && { signatures: (id) => chain.signatures?.(id) }),
    ...parts,
  };
}

function ancestor(chain: LiteChain, blocks: number): BlockId {
  const head = chain.head();
  const seqno = Math.max(0, head.seqno - blocks);
  return (seqno === 0 ? chain.zeroState() : chain.findBlock(head, { seqno })) ?? head;
}

function inverted(hash: Uint8Array): Uint8Array {
  return hash.map((byte) => byte ^ 0xff);
}
