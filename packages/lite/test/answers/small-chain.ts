import { SHARD_ACCOUNTS } from "@chain-query/format/accounts";
import { type AssembledBlock, assembleBlock } from "@chain-query/format/blocks";
import { type Cell, CellBuilder } from "@chain-query/format/cells";
import { NO_CURRENCIES } from "@chain-query/format/currencies";
import { Trie, type TrieFormat, UNAUGMENTED, uint32Key } from "@chain-query/format/dictionaries";
import { type BlockId, WHOLE_WORKCHAIN } from "@chain-query/format/identifiers";
import { encodeState, encodeZeroState, MESSAGE_QUEUE, PAST_BLOCKS, type ShardState } from "@chain-query/format/states";
import type { LiteChain } from "../../src/answers/lite-chain.ts";

const TIME = 1_770_000_000;

/** A chain that tests extend. */
export interface SmallChain extends LiteChain {
  /** Adds a masterchain block. */
  extend(): void;
}

/** A masterchain without shards, accounts and transactions. */
export function smallChain(blocks: number): SmallChain {
  const state = zeroState();
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
          time: TIME + 5 * (added.length + 1),
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

function zeroState(): ShardState {
  return {
    globalId: -7,
    shard: { workchain: -1, shard: WHOLE_WORKCHAIN },
    seqno: 0,
    time: TIME,
    lt: 0n,
    minRefMasterchainSeqno: 0,
    queue: Trie.empty(MESSAGE_QUEUE),
    processed: [],
    accounts: Trie.empty(SHARD_ACCOUNTS),
    totalValidatorFees: NO_CURRENCIES,
    master: undefined,
    masterchain: {
      shards: [],
      configAddress: new Uint8Array(32).fill(0x55),
      config: configuration(),
      past: Trie.empty(PAST_BLOCKS),
      isAfterKeyBlock: true,
      lastKeyBlock: undefined,
      globalBalance: NO_CURRENCIES,
    },
  };
}

/** One parameter. */
function configuration(): Cell {
  const format: TrieFormat<Cell, undefined> = {
    width: 32,
    augmentation: UNAUGMENTED,
    extraOf: () => undefined,
    writeValue: (builder, value) => {
      builder.ref(value);
    },
  };
  const root = Trie.from(format, [[uint32Key(8), new CellBuilder().uint(8, 8).cell()]]).rootCell();
  if (!root) throw new Error("the configuration is empty");
  return root;
}
