/** Stops the indexer that has the lease, as a machine that is suspended does, until another one has taken over, and continues it. */
import { setTimeout as sleep } from "node:timers/promises";
import { verifyIndex } from "@chain-query/postgres-store";
import { IndexerProcess } from "./indexer-process.ts";
import { digestOf, headOf, requireRecordsOf } from "./tables.ts";

/** What is stopped, and how often. */
export interface StopPlan {
  readonly chain: string;
  /** The length of the chain. */
  readonly steps: number;
  /** The URL of an index that was written without a stop. */
  readonly whole: string;
  /** Makes a database with the tables of an index. Called for each stop. */
  readonly createIndex: () => Promise<string>;
  readonly stops: number;
  /** Milliseconds that the first indexer is stopped at least; default: until the other one commits. */
  readonly pause?: number;
  readonly onStop?: (stop: number) => void;
}

/** What happened. */
export interface StopReport {
  readonly stops: number;
  /** Milliseconds from the stop to the first commit of the other indexer. */
  readonly takeovers: readonly number[];
}

/** Milliseconds. */
const [AFTER_COMMIT, LONGEST_WAIT] = [250, 60_000];

/** @throws Error if a step is missing or other than that of a whole index, or if no indexer takes over. */
export async function stopLeaders({
  chain,
  steps,
  whole,
  createIndex,
  stops,
  pause = 0,
  onStop,
}: StopPlan): Promise<StopReport> {
  const expected = await digestOf(whole);
  const takeovers: number[] = [];
  for (let stop = 1; stop <= stops; stop++) {
    const url = await createIndex();
    takeovers.push(await stopLeader(url, chain, steps, pause));
    await verifyIndex({ url });
    if ((await digestOf(url)) !== expected) throw new Error(`the index differs from a whole one after stop ${stop}`);
    await requireRecordsOf(chain, url);
    onStop?.(stop);
  }
  return { stops, takeovers };
}

async function stopLeader(url: string, chain: string, steps: number, pause: number): Promise<number> {
  const start = (): IndexerProcess => new IndexerProcess(url, "run", "--from-chain", chain, "--batch", "1", "--lease", "2s");
  const pair = [start(), start()] as const;
  try {
    const isStandby = ({ phases }: IndexerProcess): boolean => phases.includes("standby");
    await until(pair[0], async () => pair.some(isStandby) && ((await headOf(url)) ?? 0) > 0);
    const [second, first] = isStandby(pair[0]) ? pair : [pair[1], pair[0]];
    await sleep(Math.random() * AFTER_COMMIT);
    first.child.kill("SIGSTOP");
    const [stoppedAt, head] = [performance.now(), await headOf(url)];
    if (head === steps) throw new Error(`the chain of ${steps} steps is too short: the first indexer was done`);
    await until(second, async () => ((await headOf(url)) ?? 0) > (head ?? 0) + 1);
    const takeover = performance.now() - stoppedAt;
    await sleep(Math.max(0, pause - takeover));
    first.child.kill("SIGCONT");
    await until(first, async () => first.phases.includes("standby"));
    await until(second, async () => (await headOf(url)) === steps);
    // The lease goes back at once.
    await second.end("SIGTERM");
    await until(first, async () => first.phases.at(-1) === "following");
    return takeover;
  } finally {
    await Promise.all(pair.map((indexer) => indexer.end("SIGKILL")));
  }
}

async function until(indexer: IndexerProcess, isReached: () => Promise<boolean>): Promise<void> {
  const giveUp = Date.now() + LONGEST_WAIT;
  while (!(await isReached())) {
    if (Date.now() > giveUp) throw new Error(`not reached in ${LONGEST_WAIT / 1000} s: ${indexer.stderr}`);
    await sleep(5);
  }
}
