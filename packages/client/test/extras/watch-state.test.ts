import { describe, expect, test, vi } from "vitest";
import { type WatchHeadOptions, watchAccount, watchHead } from "../../src/extras.ts";
import { AbortedError, createClient, InvalidArgumentError, NotFoundError } from "../../src/index.ts";
import { apiFailure, type FakeResponses, fakeFetch, fixtures, inTurn, networkError } from "../../src/testing.ts";
import { passing, stopClock } from "../fake-time.ts";
import { failureOf } from "../fault-server.ts";

stopClock();

const info = fixtures.getMasterchainInfo.head;
const headAt = (seqno: number) => ({ ...info, last: { ...info.last, seqno } });
const account = fixtures.getAddressInformation.active;
const blockAt = (seqno: number) => ({ ...account.block_id, seqno });

function fake(responses: FakeResponses) {
  const fetch = fakeFetch(responses);
  const chain = createClient({ baseUrl: "http://node.test", rateLimit: false, retry: false, fetch });
  return { chain, fetch };
}

async function first<Item>(count: number, items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) if (found.push(item) === count) break;
  return found;
}

async function seqnos(count: number, heads: number[], options?: WatchHeadOptions) {
  const { chain, fetch } = fake({
    getMasterchainInfo: inTurn(...(heads.map(headAt) as [object, ...object[]])) as never,
    lookupBlock: ({ seqno }) => ({ ...info.last, seqno: Number(seqno) }),
  });
  const blocks = await passing(first(count, watchHead(chain, options)));
  return { seqnos: blocks.map(({ seqno }) => seqno), asked: fetch.requests.map(({ operation }) => operation) };
}

describe("watchHead", () => {
  test("yields the head, then each newer one, and never goes back", async () => {
    expect((await seqnos(3, [5, 5, 4, 7, 6, 7, 8])).seqnos).toEqual([5, 7, 8]);
  });

  test("yields every block from a sequence number on", async () => {
    const { seqnos: seen, asked } = await seqnos(7, [5, 8, 7, 9], { from: 3 });
    expect(seen).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(asked.filter((operation) => operation === "lookupBlock")).toHaveLength(4);
    expect((await seqnos(2, [5, 6, 7, 8], { from: 7 })).seqnos).toEqual([7, 8]);
  });

  test("waits between polls, and longer after each failure", async () => {
    const times: number[] = [];
    const { chain } = fake({
      getMasterchainInfo: () => {
        times.push(Date.now());
        return times.length === 1 || times.length > 4 ? headAt(times.length) : apiFailure(503);
      },
    });
    const errors: unknown[] = [];
    await passing(first(2, watchHead(chain, { intervalMs: 1_000, onError: (error) => errors.push(error) })));
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual([1_000, 1_000, 2_000, 4_000]);
    expect(errors.map((error) => (error as NotFoundError).status)).toEqual([503, 503, 503]);
  });

  test("waits as long as the service asks", async () => {
    const { chain } = fake({ getMasterchainInfo: inTurn(apiFailure(429, { retryAfter: 50 }), headAt(5)) });
    const began = Date.now();
    await passing(first(1, watchHead(chain)));
    expect(Date.now() - began).toBeGreaterThanOrEqual(50_000);
  });

  test("survives temporary failures, from the first poll on", async () => {
    const passes = inTurn(
      networkError(),
      apiFailure(503),
      headAt(5),
      apiFailure(404),
      apiFailure(429),
      new Response("<html>"),
      headAt(6),
    );
    const { chain } = fake({ getMasterchainInfo: passes });
    expect(await passing(first(2, watchHead(chain)))).toHaveLength(2);
  });

  test.for([
    ["a wrong base URL", apiFailure(404), NotFoundError],
    ["a wrong key", apiFailure(401), undefined],
    ["a rejected input", apiFailure(422), undefined],
  ] as const)("ends with a permanent error: %s", async ([, response, type]) => {
    const { chain, fetch } = fake({ getMasterchainInfo: response });
    const error = await failureOf(first(1, watchHead(chain)));
    if (type) expect(error).toBeInstanceOf(type);
    expect(fetch.requests).toHaveLength(1);
  });

  test("ends with the error that `onError` throws", async () => {
    const { chain } = fake({ getMasterchainInfo: apiFailure(503) });
    const onError = () => {
      throw new Error("enough");
    };
    expect(await failureOf(first(1, watchHead(chain, { onError })))).toMatchObject({ message: "enough" });
  });

  test.for(["before it begins", "in a request", "in a pause", "between two items"])(
    "ends with its signal: %s",
    async (when) => {
      const controller = new AbortController();
      const { chain, fetch } = fake({
        getMasterchainInfo: when === "in a request" ? () => new Promise(() => {}) : inTurn(headAt(5), headAt(6)),
      });
      if (when === "before it begins") controller.abort("enough");
      const iterator = watchHead(chain, { signal: controller.signal })[Symbol.asyncIterator]();
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
    },
  );

  test("ends at once with its loop, even while an item is awaited", async () => {
    const { chain } = fake({ getMasterchainInfo: headAt(5) });
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    const iterator = watchHead(chain, { signal })[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    await vi.advanceTimersByTimeAsync(10);
    expect(vi.getTimerCount()).toBe(1);
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    expect(removed).toHaveBeenCalled();
  });

  test("starts again with each iteration", async () => {
    const { chain } = fake({ getMasterchainInfo: headAt(5) });
    const heads = watchHead(chain);
    expect([...(await first(1, heads)), ...(await first(1, heads))].map(({ seqno }) => seqno)).toEqual([5, 5]);
  });

  test("rejects wrong options", async () => {
    const { chain } = fake({});
    for (const options of [{ intervalMs: 0 }, { from: 0 }, { interval: 5 }, { signal: 5 }, { onError: "log" }]) {
      expect(await failureOf((async () => watchHead(chain, options as never))())).toBeInstanceOf(InvalidArgumentError);
    }
  });
});

describe("watchAccount", () => {
  test("yields the state, then each change, and never goes back", async () => {
    const states = [
      { ...account, balance: "1", block_id: blockAt(5) },
      { ...account, balance: "1", block_id: blockAt(6), sync_utime: account.sync_utime + 5 },
      { ...account, balance: "2", block_id: blockAt(8) },
      { ...account, balance: "1", block_id: blockAt(7) },
      { ...account, balance: "2", block_id: blockAt(9), state: "frozen" },
    ] as const;
    const { chain, fetch } = fake({ getAddressInformation: inTurn(...states) });
    const seen = await passing(
      first(3, watchAccount(chain, "0:abababababababababababababababababababababababababababababababab")),
    );
    expect(seen.map(({ block_id: { seqno } }) => seqno)).toEqual([5, 8, 9]);
    expect(fetch.requests[0]?.input).toEqual({ address: "0:abababababababababababababababababababababababababababababababab" });
  });
});
