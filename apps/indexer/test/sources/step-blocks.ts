/** Blocks of a network whose shards split and merge. */
import type { BlockId, ShardId } from "@chain-query/chain-store";
import { CellBuilder } from "@chain-query/format/cells";
import type { LiteStepBlock } from "../../src/sources/lite-step.ts";

export const MASTER: ShardId = { workchain: -1, shard: -(2n ** 63n) };
export const WHOLE: ShardId = { workchain: 0, shard: -(2n ** 63n) };
export const LEFT: ShardId = { workchain: 0, shard: 2n ** 62n };
export const RIGHT: ShardId = { workchain: 0, shard: -(2n ** 62n) };
const hash = new Uint8Array(32);

export function id(shard: ShardId, seqno: number): BlockId {
  return { ...shard, seqno, rootHash: hash, fileHash: hash };
}

/** A block that changes the queue of its shard. */
export function block(own: BlockId, before: readonly [BlockId, ...BlockId[]], queueChange: number): LiteStepBlock {
  const header = { startLt: 1n, endLt: 2n, time: 3, stateRootHash: hash, transactions: [] };
  return { id: own, previous: before[0], before, queueChange, shownState: new CellBuilder().cell(), ...header };
}
