import type { DeliveredMessage } from "@chain-query/format/blocks";
import { type BlockRef, containsAccount } from "@chain-query/format/identifiers";
import type { QueuedMessage, ShardState } from "@chain-query/format/states";
import type { AccountId, BlockId } from "../domain.ts";
import type { WaitingMessage } from "./pool.ts";

/** A shard as its producer holds it between two blocks. */
export interface Shard {
  state: ShardState;
  /** Its newest block, or its zero state. */
  tip: { readonly id: BlockId; readonly ref: BlockRef; readonly time: number };
  /** Messages for it that wait in queues, its own among them, by lt and hash: the order in which it takes them. */
  readonly inbound: QueuedMessage[];
  /** Messages of its queue that others have taken, and that it does not know of yet. */
  delivered: DeliveredMessage[];
  /** Messages from outside that wait for it, in the order of their arrival. */
  readonly pool: WaitingMessage[];
}

/** The order in which a shard takes messages from queues. */
export function byCreation(a: QueuedMessage, b: QueuedMessage): number {
  if (a.message.createdLt !== b.message.createdLt) return a.message.createdLt < b.message.createdLt ? -1 : 1;
  return Buffer.compare(a.message.cell.hash, b.message.cell.hash);
}

/** The shard in which an account lives. */
export function shardOf(shards: readonly Shard[], account: AccountId): Shard {
  const found = shards.find(({ state }) => containsAccount(state.shard, account));
  if (!found) throw new RangeError(`no shard holds accounts of workchain ${account.workchain}`);
  return found;
}
