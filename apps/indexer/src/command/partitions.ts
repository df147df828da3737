import type { Terminal } from "@chain-query/command-line";
import {
  type DroppedPartition,
  dropHistory,
  type PartitionedSteps,
  type PartitionPlan,
  PostgresStoreError,
  partitionSteps,
} from "@chain-query/postgres-store";
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

/** Attempts to make a partition take at most this share of the time. */
const SHARE_OF_ATTEMPTS = 0.1;

/**
 * Makes a function that keeps partitions ahead of the steps that are written. The open one has space left, so writing goes on while
 * its tables are in use; it may then become larger.
 */
export function partitionsAhead(
  postgres: string,
  every: number | undefined,
  say: (text: string) => void,
): (last: number) => Promise<void> {
  let [next, nextAttempt, isLate] = [0, 0, false];
  return async (last) => {
    const start = performance.now();
    if (every === undefined || last < next || start < nextAttempt) return;
    try {
      const { openFrom, isFull } = await makePartitions(postgres, { every, last, patience: 0 });
      if (isFull) say(newestGrows(openFrom));
      next = isFull ? last + every : openFrom;
      isLate = false;
    } catch (cause) {
      if (!(cause instanceof PostgresStoreError && cause.kind === "slow")) throw cause;
      nextAttempt = start + (performance.now() - start) / SHARE_OF_ATTEMPTS;
      if (!isLate) say(`the next partition is made later: ${cause.message}`);
      isLate = true;
    }
  };
}

export function newestGrows(openFrom: number): string {
  return `the newest partition, from step ${openFrom} on, grows: there are as many as may be, drop old ones`;
}

/** Makes partitions, and reports wrong URLs as the operator's. */
export function makePartitions(postgres: string, plan: PartitionPlan): Promise<PartitionedSteps> {
  return opened(() => partitionSteps({ url: postgres }, plan));
}
