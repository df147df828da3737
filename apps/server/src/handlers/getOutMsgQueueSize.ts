import type { BlockHeader } from "@chain-query/local-chain";
import type { RequestOf, ResultOf } from "@chain-query/types";
import { blockIdExt } from "../convert/block-id.ts";
import { perThing } from "../lasting.ts";
import type { Context } from "./context.ts";

const ofShards = perThing<readonly BlockHeader[], ResultOf<"getOutMsgQueueSize">>();

/** One entry for each shard, the masterchain first (D-42). */
export async function getOutMsgQueueSize(
  _: RequestOf<"getOutMsgQueueSize">,
  { source, blockType }: Context,
): Promise<ResultOf<"getOutMsgQueueSize">> {
  const shards = await source.shards();
  return ofShards(shards, () => ({
    "@type": "blocks.outMsgQueueSizes",
    shards: shards.map(({ id, queueSize }) => ({
      "@type": "blocks.outMsgQueueSize",
      id: blockIdExt(blockType, id),
      size: queueSize,
    })),
    ext_msg_queue_size_limit: source.externalQueueLimit,
  }));
}
