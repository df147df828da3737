import { expect, test, vi } from "vitest";
import { type LiteBudget, QueryBudget } from "../../src/servers/query-budget.ts";
import { Backoff, ServerLimit } from "../../src/servers/server-limits.ts";
import { elapse, SimulatedNetwork, TIME, useVirtualClock } from "./simulated-network.ts";

useVirtualClock();

/** Failures in a row. Returns the last pause. */
function failTimes(backoff: Backoff, times: number): number {
  return Array.from({ length: times }, () => backoff.fail()).at(-1) ?? 0;
}

test("pauses grow to a minute, in whole milliseconds", () => {
  const backoff = new Backoff();
  const pauses = Array.from({ length: 9 }, () => backoff.fail());
  for (const [i, pause] of pauses.entries()) {
    const longest = Math.min(60_000, 1_000 * 2 ** i);
    expect(pause).toBeGreaterThanOrEqual(longest / 2);
    expect(pause).toBeLessThanOrEqual(longest);
    expect(Number.isInteger(pause)).toBe(true);
  }
});

test("a server that worked for ten seconds is tried again within one, however often it failed before", () => {
  const backoff = new Backoff();
  failTimes(backoff, 9);
  backoff.succeed();
  vi.advanceTimersByTime(10_000);
  expect(backoff.fail()).toBeLessThanOrEqual(1_000);
});

test("a server that fails as soon as it is connected has a longer pause each time", () => {
  const backoff = new Backoff();
  for (let i = 0; i < 6; i++) {
    backoff.succeed();
    vi.advanceTimersByTime(9_000);
    backoff.fail();
  }
  expect(backoff.fail()).toBeGreaterThanOrEqual(30_000);
});

test("a server over its limit receives half as many queries, and later as many as before", async () => {
  const limit = new ServerLimit(40);
  limit.halve();
  expect(limit.rate).toBe(20);
  expect(limit.take()).toBe(false);
  limit.halve();
  limit.halve();
  expect(limit.rate).toBe(5);
  for (let i = 0; i < 20; i++) limit.halve();
  expect(limit.rate).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(limit.rate).toBeCloseTo(1 + 40 / 3);
  vi.advanceTimersByTime(30_000);
  expect(limit.rate).toBe(40);
});

test("counts each query, also repeated ones, but not shared answers", async () => {
  const network = new SimulatedNetwork([{ code: 602 }, { code: 602 }]);
  const budget = new QueryBudget(100);
  const other = new QueryBudget(100);
  const ended = Promise.allSettled([network.time(10_000, 1, {}, { budget }), network.time(10_000, 1, {}, { budget: other })]);
  expect((await elapse(ended)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  // Two attempts at each server.
  expect([network.calls.flat().length, budget.sent, other.sent]).toEqual([4, 4, 0]);
});

test("ends a call before the query that is too many", async () => {
  const network = new SimulatedNetwork([{ delay: 10 }]);
  const budget = new QueryBudget(2);
  const reads = [1, 2, 3].map((salt) => network.time(10_000, salt, {}, { budget }));
  const [first, second, third] = await elapse(Promise.allSettled(reads));
  expect([first, second]).toMatchObject([{ value: TIME }, { value: TIME }]);
  expect(third).toMatchObject({ reason: { kind: "exhausted", isRetryable: false } });
  expect([network.calls.flat().length, budget.sent, budget.isExhausted]).toEqual([2, 2, true]);
});

test("a query waits for the budget of the caller, unless another read has had the answer meanwhile", async () => {
  const network = new SimulatedNetwork([{ delay: 10 }]);
  const release = Promise.withResolvers<void>();
  let spent = 0;
  const caller: LiteBudget = {
    spend: () => {
      spent += 1;
      return release.promise;
    },
    repeat: () => {},
  };
  const delayed = network.time(10_000, 1, {}, { budget: new QueryBudget(5, caller), isImmutable: true });
  const other = network.time(10_000, 1, {}, { isImmutable: true });
  expect(await elapse(other)).toEqual(TIME);
  release.resolve();
  expect(await elapse(delayed)).toEqual(TIME);
  expect([network.calls.flat().length, spent]).toEqual([1, 1]);
  await elapse(network.time(10_000, 1, {}, { budget: caller, isImmutable: true }));
  expect(spent).toBe(1);
});

test("the error of the caller's budget ends the read before its query", async () => {
  const network = new SimulatedNetwork([{ delay: 10 }]);
  const refused = new Error("use a key");
  const spend = () => {
    throw refused;
  };
  const budget = new QueryBudget(5, { spend, repeat: () => {} });
  const ended = network.time(10_000, 1, {}, { budget }).catch((error: unknown) => error);
  expect(await elapse(ended)).toBe(refused);
  expect([network.calls.flat().length, budget.sent]).toEqual([0, 0]);
});
