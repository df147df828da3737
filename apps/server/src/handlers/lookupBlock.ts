import type { BlockSelector } from "@chain-query/chain-store";
import type { RequestInputs } from "@chain-query/openapi/requests";
import type { ResultOf } from "@chain-query/types";
import { blockIdExt } from "../convert/block-id.ts";
import { HttpError } from "../failure.ts";
import type { Context } from "./context.ts";

/** The block of a shard with a sequence number, with a logical time, or the first one at or after a time (D-12). */
export async function lookupBlock(
  request: RequestInputs["lookupBlock"],
  { source, blockType }: Context,
  signal: AbortSignal,
): Promise<ResultOf<"lookupBlock">> {
  const { workchain, shard } = request;
  const block = await source.block({ workchain, shard }, selectorOf(request), signal);
  if (block !== undefined) return blockIdExt(blockType, block.id);
  const ofWorkchain = (await source.shards(signal)).filter((id) => id.workchain === workchain);
  if (ofWorkchain.length === 0) throw new HttpError(404, `block was not found: the chain has no workchain ${workchain}`);
  const head = ofWorkchain.find((id) => id.shard === shard);
  if (head !== undefined)
    throw new HttpError(404, `block was not found: ${selectorText(request)} is past the head, ${head.seqno}`);
  const shards = ofWorkchain.map((id) => `${id.shard} up to ${id.seqno}`).join(", ");
  const where = `the shards of workchain ${workchain} are ${shards}`;
  throw new HttpError(404, `block was not found: ${selectorText(request)} of shard ${shard}; ${where}`);
}

function selectorOf({ seqno, lt, unixtime }: RequestInputs["lookupBlock"]): BlockSelector {
  if (seqno !== undefined) return { seqno };
  return lt !== undefined ? { lt } : { time: unixtime };
}

function selectorText({ seqno, lt, unixtime }: RequestInputs["lookupBlock"]): string {
  if (seqno !== undefined) return `seqno ${seqno}`;
  return lt === undefined ? `unixtime ${unixtime}` : `lt ${lt}`;
}
