/** Key blocks of a chain, and the configurations that they set. The zero state counts as one, with number 0. */
import { readBlockConfig, readBlockHeader } from "@chain-query/format/blocks";
import { type Cell, readBoc } from "@chain-query/format/cells";
import { type KeyBlocks, readMasterchainParts } from "@chain-query/format/states";
import { ChainStoreError } from "@chain-query/format/store";
import { blockKey, type StoredGenesis } from "../store/records.ts";
import type { Tables } from "../store/tables.ts";

interface KeyBlockReader {
  /** The root of the configuration that a key block sets. */
  config(seqno: number): Cell;
  /** The numbers of a key block and of all before it. */
  upTo(seqno: number): ReadonlySet<number>;
}

/** The number of the newest key block up to a masterchain block, from the state after it. */
export function newestKeyBlock(seqno: number, state: KeyBlocks | undefined): number {
  return state?.isAfterKeyBlock ? seqno : (state?.lastKeyBlock?.seqno ?? 0);
}

export function keyBlockReader(tables: Tables, { masterchain }: Pick<StoredGenesis, "masterchain">): KeyBlockReader {
  /** The number of the key block before each. */
  const before = new Map<number, number>();
  let last: { readonly seqno: number; readonly config: Cell } | undefined;

  const read = (seqno: number): Cell => {
    const boc = tables.blockData.get(blockKey(masterchain, seqno));
    if (!boc) throw new ChainStoreError(`the chain is damaged: key block ${seqno} is missing`);
    return readBoc(boc);
  };

  const configOf = (seqno: number): Cell => {
    const root = read(seqno);
    const config = seqno === 0 ? readMasterchainParts(root).config : readBlockConfig(root);
    if (!config) throw new ChainStoreError(`the chain is damaged: block ${seqno} of the masterchain is not a key block`);
    return config;
  };

  return {
    config: (seqno) => {
      if (last?.seqno !== seqno) last = { seqno, config: configOf(seqno) };
      return last.config;
    },
    upTo: (seqno) => {
      const numbers = new Set<number>([0]);
      for (let at = seqno; at > 0; at = before.get(at) ?? 0) {
        numbers.add(at);
        if (!before.has(at)) before.set(at, readBlockHeader(read(at)).previousKeySeqno);
      }
      return numbers;
    },
  };
}
