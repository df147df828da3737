import { describe, expect, test } from "vitest";
import { describeExtension, describe as describeState, reportOn, spanOf } from "../../src/command/report.ts";
import type { IndexerState } from "../../src/monitor.ts";

const indexing: IndexerState = {
  ...{ phase: "indexing", head: 1_200, newest: 5_000, stepsPerSecond: 30.2, transactionsPerSecond: 3_020.4, secondsLeft: 126 },
};
const waiting: IndexerState = {
  ...{ phase: "waiting", reason: "PostgreSQL at postgres://db/chain: refused", head: 1_200 },
  ...{ stepsPerSecond: 0, transactionsPerSecond: 0 },
};

/** A recording stream, and a clock. */
function recorder(isTTY: boolean) {
  const clock = { seconds: 0 };
  const written: string[] = [];
  const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
  const report = reportOn({ isTTY, columns: 120, write }, () => new Date(clock.seconds * 1000));
  return { report, clock, written };
}

test("a backfill of earlier steps names steps of the chain, and how many are added", () => {
  const extending = { ...indexing, head: 13, newest: 249 };
  expect(describeExtension(extending, 250)).toBe(
    "step 237 of the chain, 13 of 249 steps are added, 3020 transactions/s, about 2 min left",
  );
  expect(describeExtension({ ...waiting, head: 13, newest: 249 }, 250)).toMatch(/^step 237, waiting: /);
  expect(describeExtension({ ...extending, phase: "following", head: 0, newest: 0 }, 7)).toBe(
    "nothing to do: the index begins at step 7",
  );
});

describe("a report", () => {
  test("updates a line of a terminal, and adds one for each change of the phase", () => {
    const { report, written } = recorder(true);
    report.show(indexing);
    report.show({ ...indexing, head: 1_300 });
    report.show(waiting);
    report.clear();
    expect(written.join("").split("\r\u001b[K").filter(Boolean)).toEqual([
      "step 1200 of 5000, 3020 transactions/s, about 2 min left\n",
      "step 1200 of 5000, 3020 transactions/s, about 2 min left",
      "step 1300 of 5000, 3020 transactions/s, about 2 min left",
      "step 1200, waiting: PostgreSQL at postgres://db/chain: refused\n",
      "step 1200, waiting: PostgreSQL at postgres://db/chain: refused",
    ]);
  });

  test("shows the progress of the source on a terminal in place of the state", () => {
    const [terminal, log] = [recorder(true), recorder(false)];
    for (const { report } of [terminal, log]) {
      report.show(indexing);
      report.progress.show("verifying signatures");
      report.show(indexing);
      report.progress.clear();
      report.show(indexing);
    }
    const state = "step 1200 of 5000, 3020 transactions/s, about 2 min left";
    const shown = terminal.written.join("").split("\r\u001b[K").filter(Boolean);
    expect(shown).toEqual([`${state}\n`, state, "verifying signatures", "verifying signatures", state]);
    expect(log.written.map((line) => JSON.parse(line).msg)).toEqual([state]);
  });

  test("writes JSON lines elsewhere: one for each change, and one per minute", () => {
    const { report, clock, written } = recorder(false);
    for (; clock.seconds < 130; clock.seconds++) report.show(indexing);
    report.show(waiting);
    report.show(waiting);
    report.show({ ...indexing, fallsBehind: { steps: 30, seconds: 9, chainStepsPerSecond: 2 } });
    const lines = written.map((line) => JSON.parse(line));
    expect(lines.map(({ time, level, phase }) => [time / 1000, level, phase])).toEqual([
      [0, 30, "indexing"],
      [60, 30, "indexing"],
      [120, 30, "indexing"],
      [130, 40, "waiting"],
      [130, 40, "indexing"],
    ]);
    expect(lines[0]).toEqual({
      ...{ level: 30, time: 0, source: "indexer", phase: "indexing", head: 1_200, newest: 5_000 },
      ...{ transactionsPerSecond: 3_020, secondsLeft: 126, msg: "step 1200 of 5000, 3020 transactions/s, about 2 min left" },
    });
  });

  test("writes lines about lite servers, on a terminal only problems", () => {
    const forked = { level: "error", message: "two chains", details: { server: "a1b2c3d4" } } as const;
    const connected = { level: "info", message: "lite server connected", details: { server: "a1b2c3d4" } } as const;
    const [log, terminal] = [recorder(false), recorder(true)];
    for (const { report } of [log, terminal]) for (const line of [connected, forked]) report.line(line);
    expect(log.written.map((line) => JSON.parse(line))).toEqual([
      { level: 30, time: 0, source: "indexer", server: "a1b2c3d4", msg: "lite server connected" },
      { level: 50, time: 0, source: "indexer", server: "a1b2c3d4", msg: "two chains" },
    ]);
    expect(terminal.written.join("")).not.toContain("connected");
    expect(terminal.written.join("")).toContain("two chains: a1b2c3d4\n");
  });

  test("writes one line for a problem whose numbers change", () => {
    const { report, written } = recorder(false);
    for (const seconds of [15, 16, 17]) report.show({ ...waiting, reason: `no step was written for ${seconds} s` });
    expect(written).toHaveLength(1);
  });
});

test.each([
  [{ phase: "starting" }, "starting: opening the chain and the database"],
  [{ phase: "standby", reason: "db-1 7 writes this index" }, "standby: db-1 7 writes this index"],
  [{ phase: "waiting", reason: "refused" }, "waiting: refused"],
  [{ phase: "following", head: 7, newest: 7 }, "step 7, the newest; 0 transactions/s"],
  [{ phase: "indexing", head: 7, newest: 70 }, "step 7 of 70, 0 transactions/s"],
  [
    { phase: "following", head: 7, newest: 7, queriesPerStep: 17.52, queriesPerAccount: 0.3 },
    "step 7, the newest; 0 transactions/s, 17.5 queries/step, 0.30/account",
  ],
  [
    {
      phase: "indexing",
      head: 7,
      newest: 3_007,
      queriesPerStep: 17.52,
      fallsBehind: { steps: 3_000, seconds: 1_200, chainStepsPerSecond: 2.5, queries: { needed: 43.8, sent: 39.7, limit: 40 } },
    },
    "step 7 of 3007, 0 transactions/s, 17.5 queries/step; falls behind by 3000 steps, 20 min: the chain makes 2.5 steps/s, the index gets " +
      "0.0; needs 44 queries/s, sends 40 of at most 40: add lite servers or raise --lite-rate",
  ],
] as const)("%j is described", (state, text) => {
  expect(describeState({ ...state, stepsPerSecond: 0, transactionsPerSecond: 0 })).toBe(text);
});

test.each([
  [0.2, "1 s"],
  [99, "99 s"],
  [100, "2 min"],
  [5_900, "98 min"],
  [6_000, "2 h"],
  [250_000, "69 h"],
  [300_000, "3 days"],
])("%d s is %s", (seconds, text) => {
  expect(spanOf(seconds)).toBe(text);
});
