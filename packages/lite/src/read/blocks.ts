import type { Cell } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  type BlockSelector,
  intersects,
  isReached,
  MASTERCHAIN,
  type ShardId,
  type ShardTip,
  smallestShard,
  smallestShardAt,
} from "@chain-query/format/identifiers";
import type { ShardTop } from "@chain-query/format/states";
import type { Match, ProvedBlock } from "@chain-query/proof/blocks";
import { checkAccountState } from "../proof/account.ts";
import { checkAllShards, checkBlockData, checkBlockHeader, checkQueueSize, checkZeroState } from "../proof/block.ts";
import { checkAncestor, checkBlockLookup } from "../proof/block-lookup.ts";
import { isMissing, isMissingSomewhere } from "../servers/fault.ts";
import type { PoolRead } from "../servers/pool.ts";
import { LiteError } from "../wire/lite-error.ts";
import { queries } from "../wire/tl/queries.ts";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import type { ReadContext } from "./read-context.ts";

/** A block without its content. */
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

/** Mode bit: the proof shows the hash of the state. */
export const SHOW_STATE = 1;
/** Blocks of the same second that are searched at most. */
const MAX_STEPS = 64;

async function readHeader(context: ReadContext, id: BlockId): Promise<LiteBlock> {
  return described(await readProvedHeader(context, id));
}

/** @param server - The only server to ask. */
export function readProvedHeader(context: ReadContext, id: BlockId, server?: string): Promise<ProvedBlock> {
  return context.ask({
    query: queries.getBlockHeader({ id, mode: SHOW_STATE }),
    check: (answer) => checkBlockHeader(id, answer),
    isImmutable: true,
    need: { server },
  });
}

/**
 * The header of the masterchain block of the context, and the block of a lower seqno in its history. Takes one query: the header names the block before it, and the state all others.
 *
 * @param server - The only server to ask.
 */
export async function readHistory(
  context: ReadContext,
  seqno: number | undefined,
  server?: string,
): Promise<{ readonly block: LiteBlock; readonly ancestor: BlockId | undefined }> {
  const { at } = context;
  if (seqno === undefined || seqno === at.seqno - 1) {
    const header = await readProvedHeader(context, at, server);
    const ancestor = header.previous?.[0];
    if (seqno === undefined || ancestor) return { block: described(header), ancestor };
  }
  const { block, ancestor } = await context.ask({
    query: queries.lookupBlockWithProof({ mode: 1 | (SHOW_STATE << 4), id: { ...MASTERCHAIN, seqno }, mcBlockId: at }),
    check: (answer) => checkAncestor(at, seqno, answer),
    // A look-up of the ancestor is the same query.
    purpose: "history",
    need: { server },
  });
  return { block: described(block), ancestor };
}

/** A block as a bag of cells: a copy, since the cache keeps the bytes. */
export async function readBlockData(context: ReadContext, id: BlockId): Promise<Uint8Array> {
  const check = (answer: LiteAnswer<"getBlock">) => checkBlockData(id, answer);
  return new Uint8Array(await context.ask({ query: queries.getBlock({ id }), check, isImmutable: true }));
}

export function readZeroState(context: ReadContext, id: BlockId): Promise<Cell> {
  return context.ask({ query: queries.getState({ id }), check: (answer) => checkZeroState(id, answer) });
}

/** The newest block of each shard but the masterchain. */
function readShardTops(context: ReadContext): Promise<readonly ShardTop[]> {
  const { at } = context;
  return context.ask({
    query: queries.getAllShardsInfo({ id: at }),
    check: (answer) => checkAllShards(at, answer),
    isImmutable: true,
  });
}

/** The newest block of each shard, the masterchain first. */
export async function readShards(context: ReadContext): Promise<readonly BlockId[]> {
  const tops = await readShardTops(context);
  return [context.at, ...tops.map(({ workchain, shard, block }) => ({ workchain, shard, ...idOf(block) }))];
}

function idOf({ seqno, rootHash, fileHash }: ShardTop["block"]): Pick<BlockId, "seqno" | "rootHash" | "fileHash"> {
  return { seqno, rootHash, fileHash };
}

/** The outbound queue of each shard, the masterchain first. */
export async function readQueueSizes(context: ReadContext): Promise<readonly LiteQueueSize[]> {
  const blocks = await readShards(context);
  return await Promise.all(
    blocks.map(async (block) => {
      const size = await context.ask({
        query: queries.getBlockOutMsgQueueSize({ mode: 1, id: block }),
        check: (answer) => checkQueueSize(block, answer),
        isImmutable: true,
      });
      return { block, size };
    }),
  );
}

/**
 * Looks up a block of a shard, or of the shard that contains a smaller one. Undefined past the newest block of the shard, which is
 * verified, so that no server can hide a block.
 */
export async function findBlock(
  context: ReadContext,
  asked: ShardId,
  selector: BlockSelector,
): Promise<ProvedBlock | undefined> {
  const shard = asked.workchain === -1 ? asked : smallestShardAt(asked);
  if ("seqno" in selector && selector.seqno < 1) return undefined;
  const newest = await readTop(context, shard);
  if (!newest || !isReached(newest, selector)) return undefined;
  if ("time" in selector) return firstOfSecond(context, shard, selector.time, newest);
  // A zero state with lt 0 is not a block: the first block matches lt 0, too.
  if ("lt" in selector) return (await lookUp(context, shard, { lt: selector.lt < 1n ? 1n : selector.lt })).block;
  try {
    return (await lookUp(context, shard, selector)).block;
  } catch (error) {
    if (shard.workchain === -1 || !isMissingSomewhere(error)) throw error;
    return findBySearch(context, shard, selector.seqno);
  }
}

/** Throws a RangeError for a selector that is out of the range of the protocol. */
export function requireSelector(selector: BlockSelector): BlockSelector {
  if ("lt" in selector) {
    const { lt } = selector;
    if (BigInt.asUintN(64, lt) !== lt) throw new RangeError(`selector.lt: must be from 0 to 2^64 - 1, got ${lt}`);
    return selector;
  }
  const [name, value] = "seqno" in selector ? ["seqno", selector.seqno] : ["time", selector.time];
  if (value >>> 0 !== value) throw new RangeError(`selector.${name}: must be an integer from 0 to 2^32 - 1, got ${value}`);
  return selector;
}

/** Finds a block with the hash of its state, which the look-ups of some servers do not show. */
export async function readBlock(context: ReadContext, shard: ShardId, selector: BlockSelector): Promise<LiteBlock | undefined> {
  const block = await findBlock(context, shard, selector);
  return block && (block.stateRootHash ? described(block) : await readHeader(context, block.id));
}

type Found = Match & { readonly block: ProvedBlock };

/** Any account of the basechain. To read it, a server needs the states of the masterchain and of a shard. */
const PROBED_ACCOUNT = { workchain: 0, hash: new Uint8Array(32) };

/**
 * The time of an old masterchain block, in Unix seconds; undefined if a server does not keep it or its states. Not from the cache: the
 * server may have deleted them meanwhile.
 *
 * @param server - The only server to ask.
 */
export async function readTime(context: ReadContext, seqno: number, server: string): Promise<number | undefined> {
  try {
    const how = { need: { server }, isOnce: true, isImmutable: false };
    const { id, time } = (await lookUp(context, MASTERCHAIN, { seqno }, how)).block;
    const asked = { at: id, account: PROBED_ACCOUNT };
    const query = queries.getAccountState({ id, account: PROBED_ACCOUNT });
    await context.ask({ query, check: (answer) => checkAccountState(asked, answer), ...how });
    return time;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** @param more - Other options of the read. */
function lookUp(
  context: ReadContext,
  shard: ShardId,
  selector: BlockSelector,
  more: Pick<PoolRead<never, never>, "need" | "isOnce" | "isImmutable"> = {},
): Promise<Found> {
  const { at } = context;
  const id = { ...shard, seqno: "seqno" in selector ? selector.seqno : 0 };
  const how =
    "seqno" in selector
      ? { mode: 1 }
      : "lt" in selector
        ? { mode: 2, lt: BigInt.asIntN(64, selector.lt) }
        : { mode: 4, utime: selector.time | 0 };
  return context.ask({
    query: queries.lookupBlockWithProof({ ...how, id, mcBlockId: at, mode: how.mode | (SHOW_STATE << 4) }),
    check: (answer): Found => checkBlockLookup({ at, shard, selector }, answer),
    isImmutable: true,
    ...more,
  });
}

/**
 * Steps back over the blocks of one second: a server may return any of them. Of the second of the newest block it may also find one that is
 * newer, and refuse it, so the search begins at the newest block.
 */
async function firstOfSecond(context: ReadContext, shard: ShardId, time: number, newest: ShardTip): Promise<ProvedBlock> {
  const isShardTip = time === newest.time;
  let { block, previous, isFirst } = await lookUp(context, shard, isShardTip ? { seqno: newest.seqno } : { time });
  if (isShardTip) isFirst = false;
  for (let step = 0; !isFirst && step < MAX_STEPS && previous.seqno > 0; step++) {
    // Not the number before: after a merge, the shard may lack it.
    const before = await lookUp(context, shard, { seqno: previous.seqno });
    isFirst = before.block.time < time;
    if (!isFirst) ({ block, previous } = before);
  }
  return block;
}

/**
 * Searches by lt for a block that servers do not find by its number. Undefined if the shard lacks it: after a merge, numbers continue above
 * those of both shards.
 */
async function findBySearch(context: ReadContext, shard: ShardId, seqno: number): Promise<ProvedBlock | undefined> {
  let [low, high] = [1n, (await readTop(context, shard))?.endLt ?? 0n];
  while (low <= high) {
    const { block, previous } = await lookUp(context, shard, { lt: (low + high) / 2n });
    if (block.id.seqno === seqno) return block;
    if (block.id.seqno < seqno) low = block.endLt + 1n;
    else if (previous.seqno < seqno) return undefined;
    else high = previous.endLt;
  }
  throw new LiteError("proof", `the blocks around number ${seqno} contradict each other`);
}

/** Whether the newest block of an account's shard is at or after a logical time. */
export async function hasReached(context: ReadContext, account: AccountId, lt: bigint): Promise<boolean> {
  const newest = await readTop(context, smallestShard(account));
  return newest !== undefined && isReached(newest, { lt });
}

async function readTop(context: ReadContext, shard: ShardId): Promise<ShardTip | undefined> {
  if (shard.workchain === -1) {
    const { id, endLt, time } = await readHeader(context, context.at);
    return { seqno: id.seqno, endLt, time };
  }
  const top = (await readShardTops(context)).find((each) => intersects(each, shard));
  return top && { ...top.block, time: top.time };
}

export function described({ id, startLt, endLt, time, stateRootHash }: ProvedBlock): LiteBlock {
  if (!stateRootHash) throw new LiteError("protocol", "a block's header does not show the hash of its state");
  return { id, startLt, endLt, time, stateRootHash };
}
