/** Stops the indexer that has the lease, as a machine that is suspended does, until another one has taken over, and continues it. */
import { setTimeout as sleep } from "node:timers/promises";
import { verifyIndex } from "@chain-query/postgres-store";
import { hold } from "./holds.ts";
import { IndexerProcess } from "./indexer-process.ts";
import { numbers } from "./numbers.ts";
import { digestOf, requireRecordsOf } from "./tables.ts";

/** What is stopped, and how often. */
export interface StopPlan {
  readonly chain: string;
  /** The length of the chain. */
  readonly steps: number;
  /** The URL of an index that was written without a stop. */
  readonly whole: string;
  /** Makes a database with the tables of an index and with holds. Called for each stop. */
  readonly createIndex: () => Promise<string>;
  readonly stops: number;
  readonly seed: number;
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

/** @throws Error if a step is missing or other than that of a whole index, or if no indexer takes over. */
export async function stopLeaders({
  chain,
  steps,
  whole,
  createIndex,
  stops,
  seed,
  pause = 0,
  onStop,
}: StopPlan): Promise<StopReport> {
  const [expected, below] = [await digestOf(whole), numbers(seed)];
  const takeovers: number[] = [];
  for (let stop = 1; stop <= stops; stop++) {
    const url = await createIndex();
    takeovers.push(await stopLeader({ url, chain, steps, pause, at: 1 + below(steps - 2) }));
    await verifyIndex({ url });
    if ((await digestOf(url)) !== expected) throw new Error(`the index differs from a whole one after stop ${stop}`);
    await requireRecordsOf(chain, url);
    onStop?.(stop);
  }
  return { stops, takeovers };
}

interface Stop extends Pick<StopPlan, "chain" | "steps"> {
  readonly url: string;
  readonly pause: number;
  /** The step at which the first indexer is stopped, when it moves the head there. */
  readonly at: number;
}

async function stopLeader({ url, chain, steps, pause, at }: Stop): Promise<number> {
  const start = (): IndexerProcess => new IndexerProcess(url, "run", "--from-chain", chain, "--batch", "1", "--lease", "4s");
  await using held = await hold(url, "head", at);
  const first = start();
  const pair = [first];
  try {
    await first.until(held.isReached);
    const second = start();
    pair.push(second);
    await second.until(() => second.phases.includes("standby"));
    first.signal("SIGSTOP");
    const stoppedAt = performance.now();
    await held.release();
    await second.reached(at + 1);
    const takeover = performance.now() - stoppedAt;
    await sleep(Math.max(0, pause - takeover));
    first.signal("SIGCONT");
    await first.until(() => first.phases.includes("standby"));
    await second.reached(steps);
    // The lease goes back at once.
    await second.end("SIGTERM");
    await first.until(() => first.phases.at(-1) === "following");
    return takeover;
  } finally {
    await Promise.all(pair.map((indexer) => indexer.end("SIGKILL")));
  }
}
