import type { Cell } from "@chain-query/format/cells";
import { intersects, namedBlock } from "@chain-query/format/identifiers";
import { readQueueSize, readShardTops, readStateShards } from "@chain-query/format/states";
import { refused } from "../failure.ts";
import { proveInState } from "../proofs.ts";
import type { Answers } from "./answer.ts";

/** Shards with a longer queue take no external messages. */
const EXTERNAL_MESSAGES_LIMIT = 8000;

/** Messages in the outbound queues. */
export const queueAnswers: Answers<"getOutMsgQueueSizes" | "getBlockOutMsgQueueSize"> = {
  getOutMsgQueueSizes: (chain, { wc, shard }) => {
    const head = chain.head();
    const asked = wc !== undefined && shard !== undefined ? { workchain: wc, shard } : undefined;
    if (asked?.shard === 0n) throw refused("requested shard is invalid");
    const tops = readShardTops(readStateShards(chain.state(head)));
    const blocks = [head, ...tops.map((shard) => namedBlock(shard, shard.block))];
    const shards = blocks
      .filter((block) => !asked || intersects(asked, block))
      .map((id) => ({ id, size: requireQueueSize(chain.state(id)) }));
    return { shards, extMsgQueueSizeLimit: EXTERNAL_MESSAGES_LIMIT };
  },
  getBlockOutMsgQueueSize: (chain, { mode, id }) => {
    if (!(mode & 1)) return { mode, id, size: BigInt(requireQueueSize(chain.state(id))) };
    const { value, proof } = proveInState(chain, id, requireQueueSize);
    return { mode, id, size: BigInt(value), proof };
  },
};

function requireQueueSize(state: Cell): number {
  const size = readQueueSize(state);
  if (size === undefined) throw refused("no out_msg_queue_size in shard state");
  return size;
}
