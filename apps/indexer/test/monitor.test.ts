import { describe, expect, test } from "vitest";
import { IndexerMonitor } from "../src/monitor.ts";
import type { IndexerEvent } from "../src/run-indexer.ts";
import type { SourceQueries } from "../src/sources/open-source.ts";

/** A monitor with a clock that the test moves. */
function monitorAt() {
  let now = 0;
  let newest = 0;
  const monitor = new IndexerMonitor(() => now);
  const sample = async (seconds: number, seqno: number, queries?: SourceQueries): Promise<void> => {
    now += seconds * 1000;
    newest = seqno;
    await monitor.sample({ newest: async () => newest }, queries);
  };
  const pass = (seconds: number): void => {
    now += seconds * 1000;
  };
  return { monitor, sample, pass };
}

/** The same after the beginning. */
function begun() {
  const at = monitorAt();
  at.monitor.record({ type: "began", head: 0 });
  return at;
}

const wrote = (head: number, transactions = 100): IndexerEvent => ({
  ...{ type: "wrote", head, time: 1_800_000_000 + head, steps: 1, transactions, accounts: 3, duration: 5 },
});

describe("IndexerMonitor", () => {
  test("starts, indexes while it is behind, and follows the end of the chain", async () => {
    const { monitor, sample } = monitorAt();
    await sample(0, 100);
    expect(monitor.state).toMatchObject({ phase: "starting", newest: 100 });
    monitor.record({ type: "began", head: 0 });
    expect(monitor.state).toMatchObject({ phase: "indexing", head: 0, newest: 100 });
    monitor.record(wrote(98));
    expect(monitor.state).toMatchObject({ phase: "following", head: 98, headTime: 1_800_000_098 });
  });

  test("computes the speed and the remaining time while the chain grows", async () => {
    const { monitor, sample } = begun();
    await sample(0, 1_000);
    monitor.record(wrote(100, 5_000));
    await sample(10, 1_020);
    // 10 steps a second, 2 of them new.
    expect(monitor.state).toMatchObject({ stepsPerSecond: 10, transactionsPerSecond: 500, secondsLeft: 920 / 8 });
  });

  test("falls behind if the chain is faster for twenty seconds, until the index is, and has no forecast then", async () => {
    const { monitor, sample } = begun();
    await sample(0, 1_000);
    monitor.record(wrote(10));
    await sample(10, 1_020);
    expect([monitor.state.fallsBehind, monitor.state.secondsLeft]).toEqual([undefined, undefined]);
    monitor.record(wrote(20));
    await sample(10, 1_040);
    const fallsBehind = { steps: 1_020, seconds: 510, chainStepsPerSecond: 2 };
    expect(monitor.state).toMatchObject({ phase: "indexing", stepsPerSecond: 1 });
    // Without lite servers, there are no queries.
    expect(monitor.state.fallsBehind).toEqual(fallsBehind);
    monitor.record(wrote(200));
    await sample(5, 1_041);
    expect(monitor.state.fallsBehind).toBeUndefined();
    monitor.record(wrote(1_040));
    expect(monitor.state).not.toHaveProperty("fallsBehind");
  });

  test("falls behind if the chain is faster, also while short waits interrupt it", async () => {
    const { monitor, sample } = begun();
    let head = 0;
    for (let second = 1; second <= 60; second++) {
      if (second % 15 === 0) {
        monitor.record({ type: "waits", cause: "source", reason: "no lite server gave a valid answer" });
        expect(monitor.state.fallsBehind).toBeUndefined();
        if (second % 2 === 0) await sample(5, 1_000 + 3 * second);
        monitor.record({ type: "began", head });
      }
      head++;
      monitor.record(wrote(head));
      await sample(1, 1_000 + 3 * second);
      if (second >= 21) expect(monitor.state.fallsBehind?.steps).toBe(1_000 + 3 * second - head);
    }
    // The other indexer was fast enough.
    monitor.record({ type: "waits", cause: "lease", reason: "another process writes this index" });
    for (let second = 0; second < 30; second++) await sample(1, 1_180 + 3 * second);
    monitor.record({ type: "began", head: 1_000 });
    await sample(1, 1_300);
    expect(monitor.state.fallsBehind).toBeUndefined();
  });

  test("counts the queries for each step and changed account, and how many are needed to follow the chain", async () => {
    const { monitor, sample } = begun();
    await sample(0, 1_000, { all: 50, ofAccounts: 0, limit: 40 });
    // One step each, with three accounts.
    for (const head of [10, 20]) monitor.record(wrote(head));
    await sample(20, 1_050, { all: 650, ofAccounts: 3, limit: 80 });
    expect(monitor.state).toMatchObject({ queriesPerStep: 30, queriesPerAccount: 0.5 });
    expect(monitor.state.fallsBehind?.queries).toEqual({ needed: 75, sent: 30, limit: 80 });
  });

  test("waits, is a standby, and then measures the speed from zero", async () => {
    const { monitor, sample } = begun();
    await sample(0, 1_000);
    monitor.record(wrote(100));
    await sample(10, 1_000);
    monitor.record({ type: "waits", cause: "database", reason: "connection refused" });
    await sample(10, 1_000);
    expect(monitor.state).toMatchObject({ phase: "waiting", reason: "connection refused", head: 100, stepsPerSecond: 0 });
    monitor.record({ type: "waits", cause: "lease", reason: "another process writes this index" });
    expect(monitor.state.phase).toBe("standby");
    monitor.record({ type: "began", head: 100 });
    expect(monitor.state.phase).toBe("indexing");
    expect(monitor.state.reason).toBeUndefined();
  });

  test("waits if a commit hangs, but not at the end of a slow chain", async () => {
    const { monitor, sample, pass } = begun();
    monitor.record(wrote(10));
    await sample(60, 10);
    expect(monitor.state.phase).toBe("following");
    await sample(1, 11);
    pass(20);
    expect(monitor.state).toMatchObject({ phase: "waiting", reason: "no step was written for 21 s" });
    monitor.record(wrote(11));
    expect(monitor.state.phase).toBe("following");
  });

  test("waits while the chain cannot be read", async () => {
    const { monitor, sample } = begun();
    monitor.record(wrote(10));
    await sample(1, 10);
    await monitor.sample({ newest: () => Promise.reject(new Error("no lite server answers")) });
    expect(monitor.state).toMatchObject({ phase: "waiting", reason: "no lite server answers", newest: 10 });
    await sample(1, 10);
    expect(monitor.state.phase).toBe("following");
  });
});
