/**
 * The sizes of the outbound queues after each block. A server can prove a size only while it has the state of the block, but each block
 * contains the change of its queue.
 */
import type { BlockId, Step, StepBlock } from "@chain-query/chain-store";
import { blockName, isSameShard } from "@chain-query/format/identifiers";
import { type LiteClient, LiteError } from "@chain-query/lite-client";
import type { LiteStep, LiteStepBlock } from "./lite-step.ts";

/** Sizes by the names of blocks. */
export type QueueSizes = ReadonlyMap<string, number>;

/** The sizes after a masterchain block and the newest blocks of the shards. No messages wait in zero states. */
export async function queueSizesAfter(client: LiteClient, at: BlockId, signal: AbortSignal): Promise<QueueSizes> {
  if (at.seqno === 0) return new Map();
  const sizes = await client.getQueueSizes({ at, archival: true, signal });
  return new Map(sizes.map(({ block, size }) => [blockName(block), size]));
}

/**
 * Completes a step with the sizes of its queues.
 *
 * @param before - The sizes after the step before.
 * @param prove - Reads the sizes after the step. Only called if they cannot be counted.
 * @returns The step, and the sizes after it.
 */
export async function addQueueSizes(
  { masterchain, shards, accounts }: LiteStep,
  before: QueueSizes,
  prove: () => Promise<QueueSizes>,
): Promise<{ readonly step: Step; readonly sizes: QueueSizes }> {
  const sizes = new Map(before);
  const added: StepBlock[] = [];
  let proved: QueueSizes | undefined;
  for (const block of [...shards, masterchain]) {
    const { id, before: parents, queueChange: _change, partialState: _state, ...rest } = block;
    let size = countedSize(block, sizes);
    if (size === undefined) {
      proved ??= await prove();
      size = provedSize(block, shards, proved);
    }
    for (const parent of parents) sizes.delete(blockName(parent));
    sizes.set(blockName(id), size);
    added.push({ ...rest, id, queueSize: size });
  }
  const top = added.pop();
  if (!top) throw new Error("a step has no masterchain block");
  return { step: { masterchain: top, shards: added, accounts }, sizes };
}

/** Undefined after a split: no block contains the sizes of the two parts of the queue. */
function countedSize({ id, before, queueChange }: LiteStepBlock, sizes: QueueSizes): number | undefined {
  let size = queueChange;
  for (const parent of before) {
    const own = parent.seqno === 0 ? 0 : sizes.get(blockName(parent));
    const isSplit = before.length === 1 && !isSameShard(parent, id);
    if (own === undefined || isSplit) return undefined;
    size += own;
  }
  return size >= 0 ? size : undefined;
}

/** Counts back from the newest block of the shard, whose size is proved. */
function provedSize({ id }: LiteStepBlock, shards: readonly LiteStepBlock[], proved: QueueSizes): number {
  const later = shards.filter((block) => isSameShard(block.id, id) && block.id.seqno > id.seqno);
  const newest = later.at(-1)?.id ?? id;
  const size = proved.get(blockName(newest));
  if (size === undefined) throw new LiteError("proof", `the size of the queue after block ${blockName(newest)} is not known`);
  return later.reduce((sum, { queueChange }) => sum - queueChange, size);
}
