/** The rule of `lookupBlock` as a scan of all blocks, to compare readers with. */
import type { BlockId, BlockSelector, ShardId, Step, StepBlock } from "@chain-query/format/store";

/** A shard of the basechain by the first bits of its addresses. */
export function shardOf(prefix: string): ShardId {
  return { workchain: 0, shard: BigInt.asIntN(64, BigInt(`0b${`${prefix}1`.padEnd(64, "0")}`)) };
}

/** The first bits of the addresses of a shard. */
export function prefixOf({ shard }: ShardId): string {
  return BigInt.asUintN(64, shard).toString(2).padStart(64, "0").replace(/10*$/, "");
}

/** The block of the shard with some accounts that a selector names, among the blocks of steps. */
export function blockByPrefix(steps: readonly Step[], prefix: string, selector: BlockSelector): BlockId | undefined {
  const bits = `${prefix}1`.padEnd(64, "0");
  return steps
    .flatMap(({ shards }) => shards)
    .filter(({ id }) => bits.startsWith(prefixOf(id)))
    .find((block) => matches(block, selector))?.id;
}

/** Selectors of each block: its number, its logical time and its time, and those after it. */
export function selectorsOf(steps: readonly Step[]): BlockSelector[] {
  const blocks = steps.flatMap(({ shards }) => shards);
  return blocks.flatMap(({ id: { seqno }, endLt, time }) => [
    { seqno },
    { lt: endLt },
    { lt: endLt + 1n },
    { time },
    { time: time + 1 },
  ]);
}

function matches({ id, endLt, time }: StepBlock, selector: BlockSelector): boolean {
  if ("seqno" in selector) return id.seqno === selector.seqno;
  return "lt" in selector ? endLt >= selector.lt : time >= selector.time;
}
