import type { BlockSelector } from "@chain-query/chain-store";
import { type ShardId, shardAt } from "@chain-query/format/identifiers";
import type { ChainReader } from "../domain.ts";
import { blockKey, blockLtKey, blockTimeKey, HIGHEST_LT, HIGHEST_U32, isLt, isU32 } from "../store/keys.ts";
import { numberRecord, type StoredGenesis } from "../store/records.ts";
import { knownHeader } from "../store/store-contents.ts";
import { type Seek, seekIn, type Tables } from "../store/tables.ts";

/** Finds blocks by seqno, logical time or time. */
export function blockFinder(tables: Tables, genesis: StoredGenesis): Pick<ChainReader, "block"> {
  const shards: readonly ShardId[] = [genesis.masterchain, ...genesis.shards];
  const seqnoOf = seqnoFinder(tables);
  return {
    block: (shard, selector) => {
      const known = shardAt(shards, shard);
      if (!known) return undefined;
      const seqno = seqnoOf(known, selector);
      return seqno === undefined ? undefined : knownHeader(tables, genesis, known, seqno);
    },
  };
}

type FindSeqno = (shard: ShardId, selector: BlockSelector) => number | undefined;

function seqnoFinder(tables: Tables): FindSeqno {
  const byLt = seekIn(tables.blocksByLt);
  const byTime = seekIn(tables.blocksByTime);
  return (shard, selector) => {
    if ("seqno" in selector) return existingSeqno(tables, shard, selector.seqno);
    if ("lt" in selector) return seqnoByLt(byLt, shard, selector.lt);
    return seqnoByTime(byTime, shard, selector.time);
  };
}

function existingSeqno(tables: Tables, shard: ShardId, seqno: number): number | undefined {
  if (!isU32(seqno) || seqno < 1) return undefined;
  return tables.blocks.doesExist(blockKey(shard, seqno)) ? seqno : undefined;
}

/** The first block whose end lt is at or above the logical time. */
function seqnoByLt(seek: Seek, shard: ShardId, lt: bigint): number | undefined {
  if (!isLt(lt)) return undefined;
  return decodeSeqno(seek.upwards(blockLtKey(shard, lt), blockLtKey(shard, HIGHEST_LT)));
}

/** The first block at or after the time. */
function seqnoByTime(seek: Seek, shard: ShardId, time: number): number | undefined {
  if (!isU32(time)) return undefined;
  return decodeSeqno(seek.upwards(blockTimeKey(shard, time, 0), blockTimeKey(shard, HIGHEST_U32, HIGHEST_U32)));
}

function decodeSeqno(record: Uint8Array | undefined): number | undefined {
  return record && numberRecord.decode(record);
}
