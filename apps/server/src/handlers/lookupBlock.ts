import type { BlockSelector } from "@chain-query/local-chain";
import type { RequestOf, ResultOf } from "@chain-query/types";
import { blockIdExt } from "../convert/block-id.ts";
import { logicalTimeIn, seqnoIn, shardIn, timeIn, workchainIn } from "../convert/integers.ts";
import { Refusal } from "../failure.ts";
import type { Context } from "./context.ts";

/** The block of a shard with a sequence number, with a logical time, or the first one at or after a time (D-12). */
export async function lookupBlock(
  request: RequestOf<"lookupBlock">,
  { source, blockType }: Context,
): Promise<ResultOf<"lookupBlock">> {
  const workchain = workchainIn(request.workchain, "workchain");
  const shard = shardIn(request.shard, "shard");
  const block = await source.block({ workchain, shard }, selectorOf(request));
  if (block !== undefined) return blockIdExt(blockType, block.id);
  const ofWorkchain = (await source.shards()).filter(({ id }) => id.workchain === workchain);
  if (ofWorkchain.length === 0) throw new Refusal(404, `block was not found: the chain has no workchain ${workchain}`);
  const head = ofWorkchain.find(({ id }) => id.shard === shard);
  if (head !== undefined)
    throw new Refusal(404, `block was not found: ${selectorText(request)} is past the head, ${head.id.seqno}`);
  const shards = ofWorkchain.map(({ id }) => `${id.shard} up to ${id.seqno}`).join(", ");
  const where = `the shards of workchain ${workchain} are ${shards}`;
  throw new Refusal(404, `block was not found: ${selectorText(request)} of shard ${shard}; ${where}`);
}

function selectorOf(request: RequestOf<"lookupBlock">): BlockSelector {
  if (request.seqno !== undefined) return { seqno: seqnoIn(request.seqno, "seqno") };
  if (request.lt !== undefined) return { lt: logicalTimeIn(request.lt, "lt") };
  return { time: timeIn(request.unixtime, "unixtime") };
}

function selectorText({ seqno, lt, unixtime }: RequestOf<"lookupBlock">): string {
  if (seqno !== undefined) return `seqno ${seqno}`;
  return lt === undefined ? `unixtime ${unixtime}` : `lt ${lt}`;
}
