/** Budgets of requests, and shares of addresses without a key, on a virtual clock. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { budgetOf, QueryBudgets } from "../src/query-budget.ts";
import { SharedWork } from "../src/shared-work.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Options {
  readonly rate?: number;
  readonly hasShares?: boolean;
}

/** Budgets of requests that may wait for five seconds. */
function budgetsWith({ rate = 100, hasShares = true }: Options = {}) {
  const ended: unknown[] = [];
  let refusals = 0;
  const budgets = new QueryBudgets({
    rate: () => rate,
    hasShares,
    onEnd: (...counted) => ended.push(counted),
    onRefusal: () => void refusals++,
  });
  const begin = (client?: string, operation: "lookupBlock" | "tryLocateResultTx" = "lookupBlock") => {
    const { signal } = new AbortController();
    budgets.begin(signal, { operation, client, until: () => performance.now() + 5_000 });
    const budget = budgetOf(signal);
    if (budget === undefined) throw new Error("the request has a budget");
    return { signal, budget };
  };
  return { budgets, begin, ended, refusals: () => refusals };
}

/** Milliseconds for which queries are delayed, sent one after another. */
async function spend(budget: { spend(): Promise<void> | undefined }, count: number): Promise<number> {
  const startedAt = performance.now();
  for (let query = 0; query < count; query++) {
    let isOver = false;
    const delayed = budget.spend()?.then(() => {
      isOver = true;
    });
    // The next timer may be that of a connection of an earlier test in this process.
    while (delayed !== undefined && !isOver) await vi.advanceTimersToNextTimerAsync();
  }
  return performance.now() - startedAt;
}

test("a request ends with its budget, which the operation decides, and is counted", async () => {
  const byOperation = budgetsWith();
  const search = byOperation.begin(undefined, "tryLocateResultTx");
  expect(await spend(search.budget, 200)).toBe(0);
  expect(() => search.budget.spend()).toThrow(
    expect.objectContaining({
      status: 504,
      message: "the request takes more than 200 queries to lite servers; ask a narrower question, or a service with an index",
    }),
  );
  search.budget.repeat();
  byOperation.budgets.end(search.signal);
  expect(byOperation.ended).toEqual([["tryLocateResultTx", 201, true]]);

  const { begin, ended, budgets } = budgetsWith();
  const { budget, signal } = begin();
  budget.spend();
  budgets.end(signal);
  expect(ended).toEqual([["lookupBlock", 1, false]]);
});

test("an address without a key has a tenth of the rate, all its requests together", async () => {
  const { begin, refusals } = budgetsWith({ rate: 100 });
  // Those of a second at once.
  expect(await spend(begin("one").budget, 10)).toBe(0);
  expect(await spend(begin("one").budget, 20)).toBeCloseTo(2_000);
  // Other callers have their own.
  expect(await spend(begin("two").budget, 10)).toBe(0);
  expect(await spend(begin().budget, 100)).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(await spend(begin("one").budget, 11)).toBeCloseTo(100);
  expect(refusals()).toBe(0);
});

test("a query that another server has to answer too is a part of the share", async () => {
  const { begin } = budgetsWith({ rate: 100 });
  const { budget } = begin("one");
  for (let query = 0; query < 15; query++) budget.repeat();
  expect(await spend(budget, 1)).toBeCloseTo(600);
});

test("queries that wait do so for a repeated one too, in their order", async () => {
  const { begin } = budgetsWith({ rate: 100 });
  const { budget } = begin("one");
  await spend(budget, 10);
  const sent: number[] = [];
  const startedAt = performance.now();
  const waiting = [1, 2].map((number) => budget.spend()?.then(() => void sent.push(number, performance.now() - startedAt)));
  for (let query = 0; query < 5; query++) budget.repeat();
  await vi.advanceTimersByTimeAsync(550);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all(waiting);
  expect(sent).toEqual([1, 600, 2, 700]);
});

test("a request is refused at once if its share is used until after its deadline", async () => {
  const { begin, refusals } = budgetsWith({ rate: 100 });
  const requests = Array.from({ length: 100 }, () => begin("one"));
  const outcomes = requests.map(({ budget }) => {
    try {
      const delay = budget.spend();
      return delay === undefined ? "sent" : "delayed";
    } catch (error) {
      return error;
    }
  });
  const refused = outcomes.filter((outcome) => outcome instanceof Error);
  expect(outcomes.filter((outcome) => outcome === "sent")).toHaveLength(10);
  expect(outcomes.filter((outcome) => outcome === "delayed")).toHaveLength(50);
  expect([refused.length, refusals()]).toEqual([40, 40]);
  expect(refused[0]).toMatchObject({
    status: 429,
    headers: { "retry-after": "6" },
    message:
      "rate limit exceeded: 10 queries per second to lite servers without an API key; send an API key, or ask a narrower question",
  });
});

test("addresses without a key have no limit if their requests have none", async () => {
  const { begin } = budgetsWith({ hasShares: false, rate: 1 });
  expect(await spend(begin("one").budget, 100)).toBe(0);
});

test("work of an address without a key is paid for by it, and done for other addresses separately", async () => {
  const { begin } = budgetsWith();
  const works: (string | undefined)[] = [];
  const flight = new SharedWork<number>();
  const { promise, resolve } = Promise.withResolvers<number>();
  const work = (signal: AbortSignal) => {
    works.push(budgetOf(signal)?.client ?? "key");
    return promise;
  };
  const run = (client?: string) => flight.run("page", work, begin(client).signal);
  const results = [run("one"), run("one"), run("two"), run(), run(), run("three")];
  expect(works).toEqual(["one", "two", "key"]);
  resolve(1);
  expect(await Promise.all(results)).toEqual([1, 1, 1, 1, 1, 1]);
});

test("work of a request that has ended is not begun", async () => {
  const begun: AbortSignal[] = [];
  const ended = AbortSignal.abort(new Error("ended"));
  await expect(new SharedWork<void>().run("key", async (shared) => void begun.push(shared), ended)).rejects.toBe(ended.reason);
  expect(begun).toEqual([]);
});
