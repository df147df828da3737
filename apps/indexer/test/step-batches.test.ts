import { setImmediate as eventLoopTick, setTimeout as sleep } from "node:timers/promises";
import type { Step, StepRange, StepSource } from "@chain-query/format/store";
import { describe, expect, test } from "vitest";
import { type BatchLimits, stepBatches } from "../src/step-batches.ts";

const never = new AbortController().signal;
const limits: BatchLimits = { steps: 4, transactions: 1_000 };

function step(seqno: number, transactions = 0): Step {
  const block = { id: { seqno }, transactions: Array.from({ length: transactions }) };
  return { masterchain: block, shards: [], accounts: [] } as unknown as Step;
}

/** Yields steps up to `newest`, then waits like a real source. Counts the steps. */
class Steps implements Pick<StepSource, "steps"> {
  read = 0;
  isClosed = false;
  newest: number;
  transactions: number;
  failAfter = Number.POSITIVE_INFINITY;

  constructor(newest: number, transactions = 0) {
    this.newest = newest;
    this.transactions = transactions;
  }

  async *steps({ from, to = Number.POSITIVE_INFINITY }: StepRange, signal: AbortSignal): AsyncGenerator<Step> {
    try {
      for (let seqno = from; seqno <= to; seqno++) {
        while (seqno > this.newest) await sleep(1, undefined, { signal }).catch(() => signal.throwIfAborted());
        await eventLoopTick();
        signal.throwIfAborted();
        if (seqno > this.failAfter) throw new Error("the chain is unavailable");
        this.read += 1;
        yield step(seqno, this.transactions);
      }
    } finally {
      this.isClosed = true;
    }
  }
}

function batchesOf(source: Steps, range: StepRange, signal = never, some = limits): ReturnType<typeof stepBatches> {
  return stepBatches(source as unknown as StepSource, range, some, signal);
}

/** More ticks of the event loop than the steps of a batch: a source reads a step in each. */
async function ticks(): Promise<void> {
  for (let tick = 0; tick < 3 * limits.steps; tick++) await eventLoopTick();
}

const seqnos = (steps: readonly Step[]): number[] => steps.map(({ masterchain }) => masterchain.id.seqno);

describe("stepBatches", () => {
  test("groups the steps that are read while the last batch is written, in order", async () => {
    const groups: number[][] = [];
    for await (const steps of batchesOf(new Steps(10), { from: 1, to: 10 })) {
      groups.push(seqnos(steps));
      await ticks();
    }
    expect(groups.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(Math.max(...groups.map((group) => group.length))).toBe(4);
  });

  test("reads one batch ahead, not more", async () => {
    const source = new Steps(100);
    const batches = batchesOf(source, { from: 1 });
    await batches.next();
    await ticks();
    expect(source.read).toBeLessThanOrEqual(5);
    await batches.return();
  });

  test("ends a batch at the limit of transactions", async () => {
    const groups: number[][] = [];
    const few = { steps: 100, transactions: 50 };
    for await (const steps of batchesOf(new Steps(6, 30), { from: 1, to: 6 }, never, few)) {
      groups.push(seqnos(steps));
      await ticks();
    }
    for (const group of groups) expect(group.length).toBeLessThanOrEqual(2);
    expect(groups.flat()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("yields each step at the end of the chain immediately", async () => {
    const source = new Steps(1);
    const batches = batchesOf(source, { from: 1 });
    expect(seqnos((await batches.next()).value ?? [])).toEqual([1]);
    source.newest = 2;
    expect(seqnos((await batches.next()).value ?? [])).toEqual([2]);
    await batches.return();
  });

  test("yields the steps before a failure, then throws it", async () => {
    const source = new Steps(10);
    source.failAfter = 3;
    const got: number[] = [];
    const all = (async () => {
      for await (const steps of batchesOf(source, { from: 1 })) got.push(...seqnos(steps));
    })();
    await expect(all).rejects.toThrow("the chain is unavailable");
    expect(got).toEqual([1, 2, 3]);
  });

  test("throws the reason of its signal, even after steps were read, and closes the source", async () => {
    const source = new Steps(100);
    const controller = new AbortController();
    const batches = batchesOf(source, { from: 1 }, controller.signal);
    await batches.next();
    await ticks();
    controller.abort(new Error("Ctrl-C"));
    await expect(batches.next()).rejects.toThrow("Ctrl-C");
    expect(source.isClosed).toBe(true);
  });

  test("closes a waiting source when the consumer returns", async () => {
    const source = new Steps(1);
    for await (const _ of batchesOf(source, { from: 1 })) break;
    expect(source.isClosed).toBe(true);
  });
});
