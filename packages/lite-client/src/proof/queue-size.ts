import type { BlockId } from "@chain-query/format/identifiers";
import { readQueueSize } from "@chain-query/format/states";
import type { LiteAnswer } from "@chain-query/lite-protocol/tl";
import { checked, formatBlock, readProofs, requireBlock, unproven } from "./evidence.ts";
import { openState } from "./state.ts";

/** Checks the number of messages in the outbound queue after a block, asked for with mode 1. */
export function checkQueueSize(id: BlockId, answer: LiteAnswer<"getBlockOutMsgQueueSize">): number {
  return checked("a proof of a queue's size", () => {
    requireBlock("the block of a queue", answer.id, id);
    if (!answer.proof) throw unproven(`the queue of ${formatBlock(id)} has no proof`);
    const size = readQueueSize(openState(id, readProofs(answer.proof, 2)).state);
    if (size === undefined) throw unproven(`the state after ${formatBlock(id)} does not hold the size of its queue`);
    if (answer.size !== BigInt(size)) {
      throw unproven(`the queue of ${formatBlock(id)} must have ${size} messages, got ${answer.size}`);
    }
    return size;
  });
}
