import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { Trie } from "../dictionary/trie.ts";
import type { TrieFormat } from "../dictionary/trie-node.ts";
import { addCurrencies, type Currencies, NO_CURRENCIES, writeCurrencies } from "../state/currencies.ts";
import type { MasterchainExtra } from "../state/masterchain-extra.ts";
import { type ShardDescription, writeShardHashes } from "../state/shard-description.ts";

/** What shards hand over to the masterchain (TL-B ShardFeeCreated). */
export interface ShardFees {
  readonly fees: Currencies;
  readonly created: Currencies;
}

/** TL-B McBlockExtra. The configuration stands in it where the block is a key block. */
export function masterchainBlockExtra(extra: MasterchainExtra, fees: Trie<ShardDescription, ShardFees>, isKey: boolean): Cell {
  const builder = new CellBuilder().uint(0xcca5, 16).bit(isKey);
  writeShardHashes(builder, extra.shards);
  fees.write(builder, "cells");
  builder.ref(new CellBuilder().uint(0, 3).cell());
  if (isKey) builder.bytes(extra.configAddress).ref(extra.config);
  return builder.cell();
}

/** TL-B ShardFees of the shards that have new blocks. */
export function shardFees(shards: readonly ShardDescription[], seqno: number): Trie<ShardDescription, ShardFees> {
  const fresh = shards.filter(({ registeredSeqno }) => registeredSeqno === seqno);
  return Trie.from(
    SHARD_FEES,
    fresh.map((shard) => {
      const key = new Uint8Array(12);
      const view = new DataView(key.buffer);
      view.setInt32(0, shard.workchain);
      view.setBigInt64(4, shard.shard);
      return [key, shard] as const;
    }),
  );
}

const SHARD_FEES: TrieFormat<ShardDescription, ShardFees> = {
  width: 96,
  augmentation: {
    empty: { fees: NO_CURRENCIES, created: NO_CURRENCIES },
    combine: (left, right) => ({
      fees: addCurrencies(left.fees, right.fees),
      created: addCurrencies(left.created, right.created),
    }),
    write: writeShardFees,
  },
  extraOf: feesOf,
  writeValue: (builder, shard) => writeShardFees(builder, feesOf(shard)),
};

function feesOf({ feesCollected, fundsCreated }: ShardDescription): ShardFees {
  return { fees: feesCollected, created: fundsCreated };
}

function writeShardFees(builder: CellBuilder, { fees, created }: ShardFees): void {
  writeCurrencies(builder, fees);
  writeCurrencies(builder, created);
}
