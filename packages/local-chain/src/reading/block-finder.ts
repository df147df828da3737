import type { BlockHeader, BlockSelector, ChainReader, ShardId } from "../domain.ts";
import { knownHeader } from "../store/chain-records.ts";
import { blockKey, blockLtKey, blockTimeKey } from "../store/keys.ts";
import { ByteReader } from "../store/records/byte-reader.ts";
import type { StoredGenesis } from "../store/records/genesis-record.ts";
import { type Seek, seekIn } from "../store/seek.ts";
import type { Tables } from "../store/tables.ts";
import { HIGHEST_LT, HIGHEST_U32, isLt, isU32 } from "./number-range.ts";
import { containsShard } from "./shard-prefix.ts";

/**
 * Finds blocks by number, logical time or time. Where the shard asked for stands for several of the chain's, the one whose block
 * comes first answers, and of equal ones the lower shard.
 */
export function blockFinder(tables: Tables, genesis: StoredGenesis): Pick<ChainReader, "block"> {
  const shards: readonly ShardId[] = [genesis.masterchain, ...genesis.shards];
  const seqnoOf = seqnoFinder(tables);
  return {
    block: (shard, selector) => {
      const meant = shards.filter((known) => containsShard(shard, known) || containsShard(known, shard));
      let first: BlockHeader | undefined;
      for (const known of meant) {
        const seqno = seqnoOf(known, selector);
        if (seqno === undefined) continue;
        const header = knownHeader(tables, genesis, known, seqno);
        if (!first || comesBefore(header, first, selector)) first = header;
      }
      return first;
    },
  };
}

function comesBefore(a: BlockHeader, b: BlockHeader, selector: BlockSelector): boolean {
  if ("lt" in selector) return a.endLt < b.endLt;
  return a.time < b.time;
}

type FindSeqno = (shard: ShardId, selector: BlockSelector) => number | undefined;

function seqnoFinder(tables: Tables): FindSeqno {
  const byLt = seekIn(tables.blocksByLt);
  const byTime = seekIn(tables.blocksByTime);
  return (shard, selector) => {
    if ("seqno" in selector) return seqnoIfThere(tables, shard, selector.seqno);
    if ("lt" in selector) return seqnoByLt(byLt, shard, selector.lt);
    return seqnoByTime(byTime, shard, selector.time);
  };
}

function seqnoIfThere(tables: Tables, shard: ShardId, seqno: number): number | undefined {
  if (!isU32(seqno) || seqno < 1) return undefined;
  return tables.blocks.doesExist(blockKey(shard, seqno)) ? seqno : undefined;
}

/** The first block whose end lies at or above the logical time. */
function seqnoByLt(seek: Seek, shard: ShardId, lt: bigint): number | undefined {
  if (!isLt(lt)) return undefined;
  return seqnoIn(seek.upwards(blockLtKey(shard, lt), blockLtKey(shard, HIGHEST_LT)));
}

/** The first block at or after the time. */
function seqnoByTime(seek: Seek, shard: ShardId, time: number): number | undefined {
  if (!isU32(time)) return undefined;
  return seqnoIn(seek.upwards(blockTimeKey(shard, time, 0), blockTimeKey(shard, HIGHEST_U32, HIGHEST_U32)));
}

function seqnoIn(record: Uint8Array | undefined): number | undefined {
  return record && new ByteReader(record).u32();
}
