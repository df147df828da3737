import { type AssembledBlock, assembleBlock } from "@chain-query/format/blocks";
import type { Cell } from "@chain-query/format/cells";
import { type BlockId, MASTERCHAIN } from "@chain-query/format/identifiers";
import { encodeState, encodeZeroState } from "@chain-query/format/states";
import type { LiteChain } from "../../src/answers/lite-chain.ts";
import { zeroState } from "../proof/sample-chain.ts";

export interface SmallChain extends LiteChain {
  /** Adds a masterchain block. */
  extend(): void;
}

/** A masterchain without shards, accounts and transactions. */
export function smallChain(blocks: number): SmallChain {
  const state = zeroState(MASTERCHAIN, []);
  const zero = encodeZeroState(state);
  const added: AssembledBlock[] = [];
  const at = ({ seqno }: BlockId): AssembledBlock | undefined => added.find((block) => block.id.seqno === seqno);
  const chain: SmallChain = {
    extend: () => {
      const last = added.at(-1);
      const startLt = BigInt(added.length + 1) * 1_000_000n;
      added.push(
        assembleBlock({
          before: last?.state ?? state,
          previous: last?.ref ?? { ...zero.id, endLt: 0n },
          startLt,
          endLt: startLt + 100n,
          time: state.time + 5 * (added.length + 1),
          randomSeed: new Uint8Array(32),
          transactions: [],
          shards: [],
        }),
      );
    },
    head: () => added.at(-1)?.id ?? zero.id,
    zeroState: () => zero.id,
    findBlock: (shard, selector) => {
      if (shard.workchain !== -1) return undefined;
      const fits = (block: AssembledBlock): boolean => {
        if ("seqno" in selector) return block.id.seqno === selector.seqno;
        return "lt" in selector ? block.ref.endLt >= selector.lt : block.time >= selector.time;
      };
      return added.find(fits)?.id;
    },
    blockData: (id) => (id.seqno === 0 ? zero.boc : at(id)?.boc),
    state: (id) => (id.seqno === 0 ? encodeState(state) : stateOf(at(id))),
  };
  for (let i = 0; i < blocks; i++) chain.extend();
  return chain;
}

function stateOf(block: AssembledBlock | undefined): Cell | undefined {
  return block && encodeState(block.state);
}
