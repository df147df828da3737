import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import type { Trie } from "../dictionary/trie.ts";
import type { TrieFormat } from "../dictionary/trie-node.ts";
import { type BlockRef, writeBlockRef } from "./block-ref.ts";
import { type Currencies, writeCurrencies } from "./currencies.ts";
import { type ShardDescription, writeShardHashes } from "./shard-description.ts";

/** A masterchain block that came before, and whether it changed the configuration. */
export interface PastBlock {
  readonly isKey: boolean;
  readonly block: BlockRef;
}

/** What the masterchain's state holds besides its accounts (TL-B McStateExtra). */
export interface MasterchainExtra {
  /** Every shard of the basechain; together they cover it. */
  readonly shards: readonly ShardDescription[];
  /** The 256 bits of the configuration account's address. */
  readonly configAddress: Uint8Array;
  /** Root of the configuration's dictionary (TL-B Hashmap 32 ^Cell). */
  readonly config: Cell;
  /** All masterchain blocks before this state's, by number. */
  readonly past: Trie<PastBlock, PastSum>;
  readonly isAfterKeyBlock: boolean;
  readonly lastKeyBlock: BlockRef | undefined;
  /**
   * Everything that exists: all balances, all under way, and all fees collected. `@ton/core` reads this as if a bit stood before
   * it, and gets through only from 2^56 to 2^62 of the smallest unit (72 million to 4.6 billion whole ones).
   */
  readonly globalBalance: Currencies;
}

/** What the dictionary of past blocks carries in its nodes: is there a key block among them, and the latest end lt. */
export interface PastSum {
  readonly hasKey: boolean;
  readonly maxEndLt: bigint;
}

/** TL-B OldMcBlocksInfo: by number, as four bytes. */
export const PAST_BLOCKS: TrieFormat<PastBlock, PastSum> = {
  width: 32,
  augmentation: {
    empty: { hasKey: false, maxEndLt: 0n },
    combine: (left, right) => ({
      hasKey: left.hasKey || right.hasKey,
      maxEndLt: later(left.maxEndLt, right.maxEndLt),
    }),
    write: (builder, { hasKey, maxEndLt }) => {
      builder.bit(hasKey).bigUint(maxEndLt, 64);
    },
  },
  extraOf: ({ isKey, block }) => ({ hasKey: isKey, maxEndLt: block.endLt }),
  writeValue: (builder, { isKey, block }) => {
    writeBlockRef(builder.bit(isKey), block);
  },
};

function later(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/** The key of a block in the dictionary of past blocks. */
export function pastKey(seqno: number): Uint8Array {
  const key = new Uint8Array(4);
  new DataView(key.buffer).setUint32(0, seqno);
  return key;
}

/** Begins a TL-B McStateExtra. There are no validators here: their lists are 0, and what each made is not counted. */
export function masterchainExtraBuilder(extra: MasterchainExtra, as: "cells" | "digests"): CellBuilder {
  const history = new CellBuilder().uint(0, 16).uint(0, 32).uint(0, 32).bit(false);
  extra.past.write(history, as);
  history.bit(extra.isAfterKeyBlock).bit(extra.lastKeyBlock !== undefined);
  if (extra.lastKeyBlock) writeBlockRef(history, extra.lastKeyBlock);
  const builder = new CellBuilder().uint(0xcc26, 16);
  writeShardHashes(builder, extra.shards);
  builder
    .bytes(extra.configAddress)
    .ref(extra.config)
    .ref(as === "cells" ? history.cell() : history.digest());
  writeCurrencies(builder, extra.globalBalance);
  return builder;
}
