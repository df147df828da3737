/** Lite servers that report another newest block than the newest block of the chain. */
import type { BlockId } from "@chain-query/format/identifiers";
import { combine, type LiteBehaviour } from "../behaviour.ts";
import type { LiteChain } from "../lite-chain.ts";
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
  return { chain: (chain) => withHead(chain, () => ancestor(chain, blocks)) };
}

/** A server that stopped: its newest block is the one at its start. */
export function frozenHead(): LiteBehaviour {
  return {
    chain: (chain) => {
      const head = chain.head();
      return withHead(chain, () => head);
    },
  };
}

/** Every second answer about the newest block names an older one. */
export function headGoesBack(blocks: number): LiteBehaviour {
  return {
    chain: (chain) => {
      let reads = 0;
      return withHead(chain, () => {
        reads += 1;
        return reads % 2 === 0 ? ancestor(chain, blocks) : chain.head();
      });
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

function withHead(chain: LiteChain, head: () => BlockId): LiteChain {
  return {
    head,
    zeroState: () => chain.zeroState(),
    findBlock: (shard, selector) => chain.findBlock(shard, selector),
    blockData: (id) => chain.blockData(id),
    state: (id) => chain.state(id),
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
