import type { Cell } from "@chain-query/format/cells";
import { type BlockId, intersects, type ShardId } from "@chain-query/format/identifiers";
import type { ShardTop } from "@chain-query/format/states";
import { LiteError } from "@chain-query/lite-protocol/error";
import { type LiteAnswer, queries } from "@chain-query/lite-protocol/tl";
import { checkBlockLookup } from "../proof/block-lookup.ts";
import { checkBlockData, checkBlockHeader, type ProvedBlock } from "../proof/header.ts";
import { checkQueueSize } from "../proof/queue-size.ts";
import { checkAllShards } from "../proof/shards.ts";
import { checkZeroState } from "../proof/state.ts";
import type { Reading } from "./reading.ts";

/** A block by number, the first whose end lt is at or above a logical time, or the first at or after a time. */
export type LiteBlockSelector = { readonly seqno: number } | { readonly lt: bigint } | { readonly time: number };

/** A block as its header tells. */
export interface LiteBlock {
  readonly id: BlockId;
  readonly startLt: bigint;
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly time: number;
  readonly stateRootHash: Uint8Array;
}

/** The number of messages in the outbound queue of a shard. */
export interface LiteQueueSize {
  readonly block: BlockId;
  readonly size: number;
}

/** Shows the hash of the state. */
const SHOW_STATE = 1;
/** Blocks of one second before the one that a server found. */
const MAX_STEPS = 64;

/** The header of a block whose id is trusted. */
export function readHeader(reading: Reading, id: BlockId): Promise<LiteBlock> {
  return reading.ask({
    query: queries.getBlockHeader({ id, mode: SHOW_STATE }),
    check: (answer) => described(checkBlockHeader(id, answer)),
    isImmutable: true,
  });
}

/** A block as a bag of cells: a copy, since the bytes themselves are kept for other readers. */
export async function readBlockData(reading: Reading, id: BlockId): Promise<Uint8Array> {
  const check = (answer: LiteAnswer<"getBlock">) => checkBlockData(id, answer);
  return new Uint8Array(await reading.ask({ query: queries.getBlock({ id }), check, isImmutable: true }));
}

/** The zero state of a shard. */
export function readZeroState(reading: Reading, id: BlockId): Promise<Cell> {
  return reading.ask({ query: queries.getState({ id }), check: (answer) => checkZeroState(id, answer) });
}

/** The newest block of each shard but the masterchain. */
function readShardTops(reading: Reading): Promise<readonly ShardTop[]> {
  const { at } = reading;
  return reading.ask({
    query: queries.getAllShardsInfo({ id: at }),
    check: (answer) => checkAllShards(at, answer),
    isImmutable: true,
  });
}

/** The newest block of each shard, the masterchain first. */
export async function readShards(reading: Reading): Promise<readonly BlockId[]> {
  const tops = await readShardTops(reading);
  return [reading.at, ...tops.map(({ workchain, shard, block }) => ({ workchain, shard, ...idOf(block) }))];
}

function idOf({ seqno, rootHash, fileHash }: ShardTop["block"]): Pick<BlockId, "seqno" | "rootHash" | "fileHash"> {
  return { seqno, rootHash, fileHash };
}

/** The outbound queue of each shard, the masterchain first. */
export async function readQueueSizes(reading: Reading): Promise<readonly LiteQueueSize[]> {
  if (reading.trust === "none") {
    const answer = await reading.ask({ query: queries.getOutMsgQueueSizes({ mode: 0 }), check: ({ shards }) => shards });
    const sizes = answer.map(({ id: block, size }) => ({ block, size }));
    return sizes.toSorted((a, b) => a.block.workchain - b.block.workchain || compare(a.block.shard, b.block.shard));
  }
  const blocks = await readShards(reading);
  return await Promise.all(
    blocks.map(async (block) => {
      const size = await reading.ask({
        query: queries.getBlockOutMsgQueueSize({ mode: 1, id: block }),
        check: (answer) => checkQueueSize(block, answer),
        isImmutable: true,
      });
      return { block, size };
    }),
  );
}

function compare(a: bigint, b: bigint): number {
  const [one, other] = [BigInt.asUintN(64, a), BigInt.asUintN(64, b)];
  return one < other ? -1 : Number(one > other);
}

/**
 * Looks up a block of a shard, or of the shard that contains a smaller one. Undefined past the newest block of the shard, which
 * decides that, so no server can hide a block.
 */
export async function findBlock(
  reading: Reading,
  asked: ShardId,
  selector: LiteBlockSelector,
): Promise<ProvedBlock | undefined> {
  const shard = asked.workchain === -1 ? asked : smallest(asked);
  if ("seqno" in selector && selector.seqno < 1) return undefined;
  if (!(await isReached(reading, shard, selector))) return undefined;
  // A zero state has lt 0 and is no block, so that the first block is also that of lt 1.
  const found = await lookUp(reading, shard, "lt" in selector && selector.lt < 1n ? { lt: 1n } : selector);
  return "time" in selector ? await firstOfSecond(reading, shard, selector.time, found) : found.block;
}

/** Checks a selector of a caller: what a server cannot be asked for is no block that does not exist. */
export function requireSelector(selector: LiteBlockSelector): LiteBlockSelector {
  if ("lt" in selector) {
    const { lt } = selector;
    if (BigInt.asUintN(64, lt) !== lt) throw new RangeError(`selector.lt: must be from 0 to 2^64 - 1, got ${lt}`);
    return selector;
  }
  const [name, value] = "seqno" in selector ? ["seqno", selector.seqno] : ["time", selector.time];
  if (value >>> 0 !== value) throw new RangeError(`selector.${name}: must be an integer from 0 to 2^32 - 1, got ${value}`);
  return selector;
}

/** The same as `findBlock`, with the hash of the state, which the answers of some servers do not show. */
export async function readBlock(reading: Reading, shard: ShardId, selector: LiteBlockSelector): Promise<LiteBlock | undefined> {
  const block = await findBlock(reading, shard, selector);
  return block && (block.stateRootHash ? described(block) : await readHeader(reading, block.id));
}

/** A block that was looked up. */
interface Found {
  readonly block: ProvedBlock;
  /** Whether no block before it matches. */
  readonly isFirst: boolean;
}

function lookUp(reading: Reading, shard: ShardId, selector: LiteBlockSelector): Promise<Found> {
  const { at, trust } = reading;
  const id = { ...shard, seqno: "seqno" in selector ? selector.seqno : 0 };
  const how =
    "seqno" in selector
      ? { mode: 1 }
      : "lt" in selector
        ? { mode: 2, lt: BigInt.asIntN(64, selector.lt) }
        : { mode: 4, utime: selector.time | 0 };
  if (trust === "none") {
    return reading.ask({
      query: queries.lookupBlock({ ...how, id, mode: how.mode | (SHOW_STATE << 4) }),
      check: (answer) => {
        const block = checkBlockHeader(answer.id, answer);
        if (!intersects(block.id, shard) || !isMatch(block, selector)) {
          throw new LiteError("proof", "the block that was looked up is not the one that was asked for");
        }
        return { block, isFirst: !("time" in selector) || block.time > selector.time };
      },
    });
  }
  return reading.ask({
    query: queries.lookupBlockWithProof({ ...how, id, mcBlockId: at, mode: how.mode | (SHOW_STATE << 4) }),
    check: (answer): Found => checkBlockLookup({ at, shard, selector }, answer),
    isImmutable: true,
  });
}

function isMatch({ id, endLt, time }: ProvedBlock, selector: LiteBlockSelector): boolean {
  if ("seqno" in selector) return id.seqno === selector.seqno;
  return "lt" in selector ? endLt >= selector.lt : time >= selector.time;
}

/** Steps back over the blocks of one second: a server may find any of them. */
async function firstOfSecond(reading: Reading, shard: ShardId, time: number, found: Found): Promise<ProvedBlock> {
  let { block, isFirst } = found;
  for (let step = 0; !isFirst && step < MAX_STEPS && block.id.seqno > 1; step++) {
    const before = await lookUp(reading, shard, { seqno: block.id.seqno - 1 });
    if (before.block.time < time) return block;
    block = before.block;
    isFirst = false;
  }
  return block;
}

/** Whether the shard has got as far as the selector says. */
async function isReached(reading: Reading, shard: ShardId, selector: LiteBlockSelector): Promise<boolean> {
  const newest = await readTop(reading, shard);
  if (!newest) return false;
  if ("seqno" in selector) return selector.seqno <= newest.seqno;
  return "lt" in selector ? selector.lt <= newest.endLt : selector.time <= newest.time;
}

async function readTop(reading: Reading, shard: ShardId): Promise<{ seqno: number; endLt: bigint; time: number } | undefined> {
  if (shard.workchain === -1) {
    const { id, endLt, time } = await readHeader(reading, reading.at);
    return { seqno: id.seqno, endLt, time };
  }
  const top = (await readShardTops(reading)).find((each) => intersects(each, shard));
  return top && { seqno: top.block.seqno, endLt: top.block.endLt, time: top.time };
}

/** The smallest shard that begins like this one, 60 bits: servers find the chain's shard by it, as by the address of an account. */
function smallest({ workchain, shard }: ShardId): ShardId {
  return { workchain, shard: BigInt.asIntN(64, (BigInt.asUintN(64, shard) & ~15n) | 8n) };
}

function described({ id, startLt, endLt, time, stateRootHash }: ProvedBlock): LiteBlock {
  if (!stateRootHash) throw new LiteError("protocol", "a block's header does not show the hash of its state");
  return { id, startLt, endLt, time, stateRootHash };
}
