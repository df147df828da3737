import { containsPrefix } from "@chain-query/format/identifiers";
import type { BlockHeader, BlockSelector, ShardId } from "@chain-query/format/store";
import { tipsRecord } from "../database/history-row.ts";
import { selectBegin } from "../database/statements.ts";
import { DroppedHistoryError } from "../types.ts";
import type { Connection } from "./connection.ts";

/**
 * Returns a function that throws a `DroppedHistoryError` if a block may be of a step before the first one of the index. Call it before the
 * block is read: steps may be added before the first one meanwhile.
 */
export function beginningOf(reads: Connection): (shard: ShardId, selector: BlockSelector, at: number) => Promise<void> {
  let isWhole = false;
  return async (shard, selector, at) => {
    if (isWhole) return;
    const [row = []] = await reads.rows(selectBegin, [], at);
    const [first, end, beginsAt, tips] = row;
    // No step is before the zero state.
    isWhole = beginsAt === 0;
    if (isWhole || typeof tips !== "string") return;
    const tip = tipsRecord.decode(Buffer.from(tips, "base64")).find(({ id }) => containsPrefix(id, shard));
    // A zero state is not a block.
    if (tip && tip.id.seqno > 0 && isUpTo(tip, selector)) throw new DroppedHistoryError(Number(first), BigInt(String(end)));
  };
}

/** Whether a block of the shard at or before its tip matches, and so does no block after it. */
function isUpTo({ id, endLt, time }: BlockHeader, selector: BlockSelector): boolean {
  if ("lt" in selector) return selector.lt <= endLt;
  return "time" in selector ? selector.time <= time : selector.seqno <= id.seqno;
}
