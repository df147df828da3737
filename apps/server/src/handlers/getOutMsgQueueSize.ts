import type { BlockHeader } from "@chain-query/local-chain";
import type { RequestInputs } from "@chain-query/openapi/requests";
import type { ResultOf } from "@chain-query/types";
import { type Encoded, encodeOnce } from "../answers/encoded.ts";
import { blockIdExt } from "../convert/block-id.ts";
import type { Context } from "./context.ts";

const encodeShards = encodeOnce<readonly BlockHeader[], "getOutMsgQueueSize">("getOutMsgQueueSize");

/** The queue size of each shard, the masterchain first (D-42). */
export async function getOutMsgQueueSize(
  _: RequestInputs["getOutMsgQueueSize"],
  { source, blockType }: Context,
): Promise<Encoded<ResultOf<"getOutMsgQueueSize">>> {
  const shards = await source.shards();
  return encodeShards(shards, () => ({
    "@type": "blocks.outMsgQueueSizes",
    shards: shards.map(({ id, queueSize }) => ({
      "@type": "blocks.outMsgQueueSize",
      id: blockIdExt(blockType, id),
      size: queueSize,
    })),
    ext_msg_queue_size_limit: source.externalQueueLimit,
  }));
}
