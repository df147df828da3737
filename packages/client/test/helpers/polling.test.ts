import { describe, expect, test, vi } from "vitest";
import {
  AbortedError,
  createClient,
  InvalidArgumentError,
  monotonic,
  NotFoundError,
  type Transaction,
  type WatchTransactionsOptions,
  watchTransactions,
} from "../../src/index.ts";
import { apiFailure, type FakeResponses, fakeFetch, fixtures, inTurn, networkError } from "../../src/testing.ts";
import { passing, stopClock } from "../fake-time.ts";
import { failureOf } from "../fault-server.ts";

stopClock();

const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const history = fixtures.getTransactionsStd["first-page"];
const idAt = (lt: number) => ({ ...(history.transactions[0] ?? expect.unreachable()).transaction_id, lt: `${lt}` });

/** A whole history, newest first, whose logical times are the numbers up to one. */
const upTo = (last: number) => ({
  ...history,
  transactions: Array.from({ length: last }, (_, index) => ({
    ...(history.transactions[0] ?? expect.unreachable()),
    transaction_id: idAt(last - index),
  })),
  previous_transaction_id: idAt(0),
});

function fake(getTransactionsStd: NonNullable<FakeResponses["getTransactionsStd"]>) {
  const fetch = fakeFetch({ getTransactionsStd });
  const chain = createClient({ baseUrl: "http://node.test", rateLimit: false, retry: false, fetch });
  return { fetch, watching: (own?: WatchTransactionsOptions) => watchTransactions(chain, address, { from: "start", ...own }) };
}

/** The logical times of the first transactions. */
async function first(count: number, items: AsyncIterable<Transaction>): Promise<string[]> {
  const found: string[] = [];
  for await (const { transaction_id: id } of items) if (found.push(id.lt) === count) break;
  return found;
}

describe("the polls of watchTransactions", () => {
  test("come at intervals, and later after each failure", async () => {
    const times: number[] = [];
    const { watching } = fake(() => {
      times.push(Date.now());
      return times.length === 1 || times.length > 4 ? upTo(times.length) : apiFailure(503);
    });
    const errors: unknown[] = [];
    await passing(first(2, watching({ intervalMs: 1_000, onError: (error) => errors.push(error) })));
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual([1_000, 1_000, 2_000, 4_000]);
    expect(errors.map((error) => (error as NotFoundError).status)).toEqual([503, 503, 503]);
  });

  test("wait as long as the service asks", async () => {
    const { watching } = fake(inTurn(apiFailure(429, { retryAfter: 50 }), upTo(1)));
    const began = Date.now();
    await passing(first(1, watching()));
    expect(Date.now() - began).toBeGreaterThanOrEqual(50_000);
  });

  test("wait no longer than a minute, and begin anew after a success", async () => {
    const times: number[] = [];
    const { watching } = fake(() => {
      const count = times.push(Date.now());
      if (count === 3 || count === 5) return upTo(count);
      return count === 1 ? apiFailure(429, { retryAfter: 3_600 }) : apiFailure(503);
    });
    await passing(first(5, watching({ intervalMs: 1_000 })));
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual([60_000, 2_000, 1_000, 1_000]);
  });

  test("continue from a transaction with a hexadecimal hash", async () => {
    const { watching } = fake(upTo(2));
    expect(await passing(first(1, watching({ from: { lt: "1", hash: "ab".repeat(32) } })))).toEqual(["2"]);
  });

  test("survive temporary failures, from the first one on", async () => {
    const atFirst = [networkError(), apiFailure(503), upTo(1)] as const;
    const later = [apiFailure(404), apiFailure(429), new Response("<html>"), upTo(2)];
    expect(await passing(first(2, fake(inTurn(...atFirst, ...later)).watching()))).toEqual(["1", "2"]);
  });

  test.for([
    ["a wrong base URL", apiFailure(404), NotFoundError],
    ["a wrong key", apiFailure(401), undefined],
    ["a rejected input", apiFailure(422), undefined],
  ] as const)("end with a permanent error: %s", async ([, response, type]) => {
    const { watching, fetch } = fake(response);
    const error = await failureOf(first(1, watching()));
    if (type) expect(error).toBeInstanceOf(type);
    expect(fetch.requests).toHaveLength(1);
  });

  test("end with the error that `onError` throws", async () => {
    const onError = () => {
      throw new Error("enough");
    };
    expect(await failureOf(first(1, fake(apiFailure(503)).watching({ onError })))).toMatchObject({ message: "enough" });
  });

  test.for(["before it begins", "in a request", "in a pause", "between two items"])("end with a signal: %s", async (when) => {
    const controller = new AbortController();
    const { watching, fetch } = fake(
      when === "in a request" ? () => new Promise(() => {}) : upTo(when === "between two items" ? 2 : 1),
    );
    if (when === "before it begins") controller.abort("enough");
    const iterator = watching({ signal: controller.signal })[Symbol.asyncIterator]();
    if (when === "between two items" || when === "in a pause") await iterator.next();
    if (when === "between two items") controller.abort("enough");
    const next = failureOf(iterator.next());
    await vi.advanceTimersByTimeAsync(10);
    controller.abort("enough");
    const error = await next;
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: "enough" });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(fetch.requests.length).toBeLessThan(2);
  });

  test("end at once with their loop, even while an item is awaited", async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    const iterator = fake(upTo(1)).watching({ signal })[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    await vi.advanceTimersByTimeAsync(10);
    expect(vi.getTimerCount()).toBe(1);
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    expect(removed).toHaveBeenCalled();
  });

  test("start again with each iteration", async () => {
    const transactions = fake(upTo(5)).watching();
    expect([...(await first(1, transactions)), ...(await first(1, transactions))]).toEqual(["1", "1"]);
  });

  test("have checked options", async () => {
    const { watching } = fake(upTo(1));
    for (const options of [{ intervalMs: 0 }, { pageSize: 0 }, { interval: 5 }, { signal: 5 }, { onError: "log" }]) {
      expect(await failureOf((async () => watching(options as never))())).toBeInstanceOf(InvalidArgumentError);
    }
  });
});

/** A deployment with a block every five seconds, and a transaction in every second block. It holds a request until its block is there. */
function waitingDeployment(holds = true) {
  const asked: { readonly least: string | null; readonly at: number }[] = [];
  const began = Date.now();
  const headNow = (): number => 1 + Math.floor((Date.now() - began) / 5_000);
  const fetch = async (request: Request): Promise<Response> => {
    const least = request.headers.get("chain-min-head");
    asked.push({ least, at: Date.now() - began });
    if (least !== null) {
      expect(request.headers.get("prefer")).toBe("wait=20");
      const heldMs = holds ? (Number(least) - 1) * 5_000 - (Date.now() - began) : 3_000;
      await new Promise((resolve) => setTimeout(resolve, heldMs));
    }
    const head = headNow();
    const headers = { "chain-head": String(head) };
    if (least !== null && head < Number(least)) {
      const failure = { ok: false, error: "behind", code: 503, reason: "behind" };
      return new Response(JSON.stringify(failure), { status: 503, headers });
    }
    return new Response(JSON.stringify({ ok: true, result: upTo(Math.ceil(head / 2)), "@extra": "" }), { headers });
  };
  const chain = createClient({ baseUrl: "http://node.test", rateLimit: false, retry: false, fetch });
  const errors: unknown[] = [];
  const watching = (own?: WatchTransactionsOptions) =>
    watchTransactions(chain, address, { from: "start", onError: (error) => errors.push(error), ...own });
  return { chain, watching, asked, errors };
}

describe("where the deployment says which head a response is as of, watchTransactions", () => {
  test("waits for each block with one request, and sees it when it is there", async () => {
    const { watching, asked, errors } = waitingDeployment();
    expect(await passing(first(3, watching()))).toEqual(["1", "2", "3"]);
    expect(asked.map(({ least }) => least)).toEqual([null, "2", "3", "4", "5"]);
    // The first wait begins when a poll would.
    expect(asked.map(({ at }) => at)).toEqual([0, 2_000, 5_000, 10_000, 15_000]);
    expect(errors).toEqual([]);
  });

  test("is not ended by a time-out of the client, and has no retries of its own", async () => {
    const { chain, asked } = waitingDeployment();
    const hurried = chain.withOptions({ timeoutMs: 1_000, deadlineMs: 1_500, retry: { maxRetries: 3 } });
    expect(await passing(first(2, watchTransactions(hurried, address, { from: "start" })))).toEqual(["1", "2"]);
    expect(asked.map(({ least }) => least)).toEqual([null, "2", "3"]);
  });

  test("polls once when no block came in time, which is no failure", async () => {
    const { watching, asked, errors } = waitingDeployment(false);
    expect(await passing(first(2, watching()))).toEqual(["1", "2"]);
    expect(asked.map(({ least }) => least)).toEqual([null, "2", "3", null, "3"]);
    expect(errors).toEqual([]);
  });

  test.each<[string, WatchTransactionsOptions, object]>([
    ["if the option says so", { wait: false }, {}],
    ["in a browser", {}, { document: {} }],
  ])("polls %s", async (_, options, globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    const { watching, asked } = waitingDeployment();
    expect(await passing(first(2, watching(options)))).toEqual(["1", "2"]);
    expect(asked.map(({ least, at }) => [least, at])).toEqual([0, 2, 4, 6, 8, 10].map((seconds) => [null, seconds * 1_000]));
    vi.unstubAllGlobals();
  });
});

test("monotonic asks for the highest head so far, whichever response had it", async () => {
  const heads = [undefined, "5", "7", "6", "1e99", "8"];
  const asked: (string | null)[] = [];
  const fetch = monotonic(async ({ headers }) => {
    const head = heads[asked.length];
    asked.push(headers.get("chain-min-head"));
    const body = JSON.stringify({ ok: true, result: fixtures.getConsensusBlock.current, "@extra": "" });
    return new Response(body, { headers: head === undefined ? {} : { "chain-head": head } });
  });
  const chain = createClient({ baseUrl: "http://node.test", rateLimit: false, fetch });
  for (const _ of heads) await chain.getConsensusBlock();
  await chain.getConsensusBlock({ headers: { "chain-min-head": "1" } });
  await chain.getConsensusBlock({ headers: { "chain-min-head": "9" } });
  expect(asked).toEqual([null, null, "5", "7", "7", "7", "8", "9"]);
});
