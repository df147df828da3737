import type { RequestInputs } from "@chain-query/openapi/requests";
import type { ResultOf } from "@chain-query/types";
import { type Encoded, encodeOnce } from "../answers/encoded.ts";
import type { ShardQueue } from "../chain-source.ts";
import { blockIdExt } from "../convert/block-id.ts";
import type { Context } from "./context.ts";

const encodeQueues = encodeOnce<readonly ShardQueue[], "getOutMsgQueueSize">("getOutMsgQueueSize");

/** The queue size of each shard, the masterchain first (D-42). */
export async function getOutMsgQueueSize(
  _: RequestInputs["getOutMsgQueueSize"],
  { source, blockType }: Context,
  signal: AbortSignal,
): Promise<Encoded<ResultOf<"getOutMsgQueueSize">>> {
  const queues = await source.queues(signal);
  return encodeQueues(queues, () => ({
    "@type": "blocks.outMsgQueueSizes",
    shards: queues.map(({ id, size }) => ({
      "@type": "blocks.outMsgQueueSize",
      id: blockIdExt(blockType, id),
      size,
    })),
    ext_msg_queue_size_limit: source.externalQueueLimit,
  }));
}
