import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type LiteBudget, QueryBudget } from "../../src/servers/query-budget.ts";
import { elapse, SimulatedNetwork, TIME } from "./simulated-network.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("counts each query, also repeated ones, but not shared answers", async () => {
  const network = new SimulatedNetwork([{ code: 602 }, { code: 602 }]);
  const budget = new QueryBudget(100);
  const other = new QueryBudget(100);
  const ended = Promise.allSettled([network.time(10_000, 1, {}, { budget }), network.time(10_000, 1, {}, { budget: other })]);
  expect((await elapse(ended)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  // Two attempts at each server.
  expect([network.calls.flat().length, budget.sent, other.sent]).toEqual([4, 4, 0]);
  await network.close();
});

test("ends a call before the query that is too many", async () => {
  const network = new SimulatedNetwork([{ delay: 10 }]);
  const budget = new QueryBudget(2);
  const reads = [1, 2, 3].map((salt) => network.time(10_000, salt, {}, { budget }));
  const [first, second, third] = await elapse(Promise.allSettled(reads));
  expect([first, second]).toMatchObject([{ value: TIME }, { value: TIME }]);
  expect(third).toMatchObject({ reason: { kind: "exhausted", isRetryable: false } });
  expect([network.calls.flat().length, budget.sent, budget.isExhausted]).toEqual([2, 2, true]);
  await network.close();
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
  await network.close();
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
  await network.close();
});
