import { describe, expect, test, vi } from "vitest";
import { createClient } from "../../src/index.ts";
import { backoffMs, retryAfterMs } from "../../src/transport/timing.ts";
import { passing } from "../fake-time.ts";
import {
  failure,
  failureOf,
  hang,
  longTimeouts,
  resetBeforeHeaders,
  startFaultServer,
  succeed,
  success,
} from "../fault-server.ts";

describe("retry", () => {
  test.for([408, 425, 429, 502, 503, 504])("tries again after a %i", async (status) => {
    await using server = await startFaultServer(failure(status, "passes"), succeed);
    const chain = createClient({ baseUrl: server.url, ...longTimeouts });
    expect(await chain.getMasterchainInfo().withResponse()).toMatchObject({ result: success.result, attempts: 2 });
    expect(server.seen).toHaveLength(2);
  });

  test.for([400, 401, 403, 404, 409, 422, 500, 501, 505, 542])("leaves a %i as it is", async (status) => {
    await using server = await startFaultServer(failure(status, "stays"));
    const chain = createClient({ baseUrl: server.url, ...longTimeouts });
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({ status, attempts: 1 });
    expect(server.seen).toHaveLength(1);
  });

  test("sends a POST again with the same body", async () => {
    await using server = await startFaultServer(failure(503, "busy"), resetBeforeHeaders, succeed);
    const retry = { maxRetries: 2, baseDelayMs: 1 };
    await createClient({ baseUrl: server.url, rateLimit: false, retry }).lookupBlock({ workchain: 0, shard: "5", lt: 7 });
    expect(server.seen.map(({ body }) => body)).toEqual(Array(3).fill('{"workchain":0,"shard":"5","lt":"7"}'));
    expect(server.seen.map(({ headers }) => headers["content-type"])).toEqual(Array(3).fill("application/json"));
  });

  test.for([
    ["none at all", false, undefined, 1],
    ["the call's own number, even zero", { baseDelayMs: 1 }, 0, 1],
    ["the call's own number in place of none", false, 3, 4],
    ["the default where a member is undefined", { baseDelayMs: 1, maxRetries: undefined }, undefined, 3],
  ] as const)("takes %s", async ([, retry, maxRetries, requests]) => {
    await using server = await startFaultServer(failure(503, "busy", { "retry-after-ms": "1" }));
    const chain = createClient({ baseUrl: server.url, rateLimit: false, retry: retry as { baseDelayMs: number } | false });
    expect(await failureOf(chain.getMasterchainInfo({ maxRetries }))).toMatchObject({ attempts: requests });
    expect(server.seen).toHaveLength(requests);
  });

  test("takes other statuses", async () => {
    await using server = await startFaultServer(failure(500, "odd"), failure(503, "busy"));
    const chain = createClient({ baseUrl: server.url, rateLimit: false, retry: { statuses: [500], baseDelayMs: 1 } });
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({ status: 503, attempts: 2 });
  });

  test("cancels a body that it discards before it waits", async () => {
    const events: string[] = [];
    const body = () => new ReadableStream({ cancel: () => void events.push("cancelled") });
    const fetch = async () => (events.length === 0 ? new Response(body(), { status: 503 }) : Response.json(success));
    const hooks = { onRetry: () => void events.push("waits") };
    await createClient({ baseUrl: "http://node.invalid", ...longTimeouts, fetch, hooks }).getMasterchainInfo();
    expect(events).toEqual(["cancelled", "waits"]);
  });
});

describe("deadlineMs", () => {
  test("ends the attempt under way", async () => {
    await using server = await startFaultServer(hang);
    const chain = createClient({ baseUrl: server.url, rateLimit: false, deadlineMs: 50 });
    const endedAfter = (ms: number) => ({
      code: "TIMEOUT",
      message: expect.stringMatching(new RegExp(`deadlineMs of ${ms}$`)),
    });
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({ ...endedAfter(50), attempts: 1 });
    expect(await failureOf(chain.getConsensusBlock({ deadlineMs: 60 }))).toMatchObject(endedAfter(60));
  });

  test("fails at once with the service's own error if the wait would exceed it", async () => {
    await using server = await startFaultServer(failure(429, "slow down", { "retry-after": "50" }));
    const chain = createClient({ baseUrl: server.url, rateLimit: false, deadlineMs: 20_000 });
    const error = await failureOf(chain.getMasterchainInfo());
    expect(error).toMatchObject({ code: "RATE_LIMIT", attempts: 1, retryAfterMs: 50_000 });
  });
});

describe("Retry-After", () => {
  const now = Date.now();
  test.for<[headers: Record<string, string>, least: number | undefined, most?: number]>([
    [{ "retry-after": "2" }, 2_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "soon 5" }, undefined],
    [{ "retry-after": "99999999999" }, 99_999_999_999_000],
    [{ "retry-after": "Infinity" }, undefined],
    [{ "retry-after": new Date(now + 3_600_000).toUTCString() }, 3_000_000, 3_600_000],
    [{ "retry-after": new Date(now - 3_600_000).toUTCString() }, 0],
    [{ "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT" }, 0],
    // The clocks of services, hours off.
    [{ date: "Sun, 06 Nov 1994 08:49:37 GMT", "retry-after": "Sun, 06 Nov 1994 08:49:39 GMT" }, 2_000],
    [{ date: new Date(now + 3_600_000).toUTCString(), "retry-after": new Date(now + 3_602_000).toUTCString() }, 2_000],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after-ms": "0.5" }, 1],
    [{ "retry-after-ms": "0", "retry-after": "9" }, 0],
    [{ "retry-after-ms": "-1", "retry-after": "9" }, 9_000],
    [{}, undefined],
  ])("is read from %j", ([headers, least, most = least]) => {
    const read = retryAfterMs(new Headers(headers));
    if (least === undefined) return expect(read).toBeUndefined();
    expect(read).toBeGreaterThanOrEqual(least);
    expect(read).toBeLessThanOrEqual(most ?? least);
  });

  test("is waited for, and a random part of the backoff beside it", async () => {
    await using server = await startFaultServer(failure(429, "slow down", { "retry-after-ms": "60" }), succeed);
    const waits: number[] = [];
    const hooks = { onRetry: ({ delayMs }: { delayMs: number }) => void waits.push(delayMs) };
    await createClient({ baseUrl: server.url, ...longTimeouts, hooks }).getMasterchainInfo();
    // Below the bound of the first backoff, baseDelayMs.
    expect(waits).toEqual([expect.closeTo(60.5, 0)]);
  });

  test("above a minute fails at once", async () => {
    await using server = await startFaultServer(failure(429, "slow down", { "retry-after-ms": "60001" }));
    const error = await failureOf(createClient({ baseUrl: server.url, ...longTimeouts }).getMasterchainInfo());
    expect(error).toMatchObject({ code: "RATE_LIMIT", retryAfterMs: 60_001, attempts: 1 });
  });
});

test("no attempt follows the deadline, even if timers fire a little early", async () => {
  vi.useFakeTimers();
  const { setTimeout } = globalThis;
  const fireEarly = (run: () => void, ms: number) => setTimeout(run, Math.max(1, ms - 1));
  globalThis.setTimeout = fireEarly as typeof setTimeout;
  const fetch = () => new Promise<never>(() => {});
  const chain = createClient({ baseUrl: "http://node.invalid", retry: { baseDelayMs: 0 }, deadlineMs: 100, fetch });
  expect(await passing(failureOf(chain.getMasterchainInfo()))).toMatchObject({ code: "TIMEOUT", attempts: 1 });
  globalThis.setTimeout = setTimeout;
  vi.useRealTimers();
});

describe("backoffMs", () => {
  const retry = { maxRetries: 9, baseDelayMs: 500, maxDelayMs: 8_000, statuses: [] };

  test.for([
    [0, 500],
    [1, 1_000],
    [2, 2_000],
    [4, 8_000],
    [5, 8_000],
    [1_000, 8_000],
  ] as const)("spreads wait %i over the whole span up to %i ms", ([retries, bound]) => {
    const waits = Array.from({ length: 2_000 }, () => backoffMs(retry, retries));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(bound);
    // Of 2,000 drawn evenly, none in a tenth of the span is as good as impossible.
    for (let tenth = 0; tenth < 10; tenth++) {
      expect(waits.some((wait) => Math.floor((wait / bound) * 10) === tenth)).toBe(true);
    }
  });
});
