import type { Terminal } from "@chain-query/command-line";
import { type DroppedPartition, dropHistory, partitionSteps } from "@chain-query/postgres-store";
import type { DropCommand } from "./arguments.ts";
import { sizeOf } from "./database.ts";
import { opened } from "./opened.ts";

/** Drops old partitions, or says which it would drop. */
export async function dropPartitions({ postgres, ...options }: DropCommand, { stdout }: Terminal): Promise<number> {
  const verb = options.dryRun ? "would drop" : "dropped";
  const onDropped = ({ from, to, time, bytes }: DroppedPartition): void => {
    const made = new Date(time * 1000).toISOString().slice(0, 16).replace("T", " ");
    stdout.write(`${verb} steps ${from} to ${to}, made until ${made} UTC: ${sizeOf(bytes)}\n`);
  };
  const { dropped, kept } = await opened(() => dropHistory({ url: postgres }, { ...options, onDropped }));
  const bytes = dropped.reduce((sum, partition) => sum + partition.bytes, 0);
  stdout.write(`${verb} ${dropped.length} partitions, ${sizeOf(bytes)}; the rest stays: ${kept}\n`);
  return 0;
}

/** Makes a function that keeps partitions ahead of the steps that are written. */
export function partitionsAhead(
  postgres: string,
  every: number | undefined,
  say: (text: string) => void,
): (last: number) => Promise<void> {
  let next = 0;
  return async (last) => {
    if (every === undefined || last < next) return;
    const { openFrom, isFull } = await opened(() => partitionSteps({ url: postgres }, { every, last }));
    if (isFull) say(`the newest partition, from step ${openFrom} on, grows: there are as many as may be, drop old ones`);
    next = isFull ? last + every : openFrom;
  };
}
