import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type ClientOptions, createClient, createLimiter, type Hooks } from "../../src/index.ts";
import { passing } from "../fake-time.ts";
import { failure, failureOf, longTimeouts, startFaultServer, succeed, success } from "../fault-server.ts";

const hour = 3_600_000;
const answer = async () => Response.json(success);
const remote = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: "https://node.example", fetch: answer, ...options });
const failed429 = () =>
  Response.json({ ok: false, error: "1 request per second", code: 429 }, { status: 429, headers: { "retry-after": "1" } });
/** Whether a promise is still pending after 20 ms of fake time. */
const isPending = async (promise: Promise<unknown>) => {
  const pending = Symbol("pending");
  const first = Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 20, pending))]);
  await vi.advanceTimersByTimeAsync(20);
  return (await first) === pending;
};

/** Fake timers, so that results do not depend on how busy the machine is. */
const fakeClock = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
afterEach(() => vi.useRealTimers());

describe("createLimiter", () => {
  test("never lets more through than its rate, over any window, under random load", async () => {
    const load = fc.record({
      requests: fc.integer({ min: 1, max: 4 }),
      perMs: fc.integer({ min: 5, max: 20 }),
      maxConcurrency: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
      arrivals: fc.array(
        fc.record({
          afterMs: fc.integer({ min: 0, max: 15 }),
          holdsMs: fc.integer({ min: 0, max: 15 }),
          abortsAfterMs: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined, freq: 3 }),
        }),
        { minLength: 2, maxLength: 16 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(load, async ({ requests, perMs, maxConcurrency, arrivals }) => {
        fakeClock();
        // Files share a worker: what another one has left open goes on under this clock, without an end.
        const leftOpen = () => setTimeout(leftOpen, 7);
        leftOpen();
        const limiter = createLimiter({ requests, perMs, ...(maxConcurrency && { maxConcurrency }) });
        const starts: number[] = [];
        let active = 0;
        let most = 0;
        const all = Promise.all(
          arrivals.map(async ({ afterMs, holdsMs, abortsAfterMs }) => {
            await new Promise((resolve) => setTimeout(resolve, afterMs));
            const controller = new AbortController();
            if (abortsAfterMs !== undefined) setTimeout(() => controller.abort(), abortsAfterMs);
            const release = await limiter.acquire(controller.signal).catch(() => undefined);
            if (release === undefined) return;
            starts.push(globalThis.performance.now());
            most = Math.max(most, ++active);
            await new Promise((resolve) => setTimeout(resolve, holdsMs));
            active--;
            release();
          }),
        );
        await passing(all);
        expect(starts.length).toBeGreaterThanOrEqual(arrivals.filter((one) => one.abortsAfterMs === undefined).length);
        expect(most).toBeLessThanOrEqual(maxConcurrency ?? arrivals.length);
        for (const [index, start] of starts.entries()) {
          const next = starts[index + requests];
          if (next !== undefined) expect(next - start).toBeGreaterThanOrEqual(perMs);
        }
      }),
      { numRuns: 100, seed: 1 },
    );
  });

  test("keeps the order of arrival", async () => {
    const limiter = createLimiter({ requests: 2, perMs: 5 });
    const order: number[] = [];
    const arrive = async (index: number) => {
      (await limiter.acquire())();
      order.push(index);
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(arrive));
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("waits while all slots are in use", async () => {
    fakeClock();
    const limiter = createLimiter({ requests: 100, perMs: 1, maxConcurrency: 1 });
    const release = await limiter.acquire();
    const second = limiter.acquire();
    expect(await isPending(second)).toBe(true);
    release();
    (await second)();
  });

  test("admits the others when one leaves the queue", async () => {
    const limiter = createLimiter({ requests: 100, perMs: 1, maxConcurrency: 1 });
    const release = await limiter.acquire();
    const controller = new AbortController();
    const leaving = failureOf(limiter.acquire(controller.signal));
    const behind = limiter.acquire();
    controller.abort("left");
    expect(await leaving).toBe("left");
    release();
    (await behind)();
  });

  test("lets nothing through while it is paused", async () => {
    fakeClock();
    const limiter = createLimiter({ requests: 100, perMs: 1 });
    const started = performance.now();
    limiter.pause(40);
    limiter.pause(10);
    (await passing(limiter.acquire()))();
    expect(performance.now() - started).toBeGreaterThanOrEqual(40);
    limiter.pause(hour);
    const controller = new AbortController();
    const queued = limiter.acquire(controller.signal);
    queued.catch(() => {});
    expect(await isPending(queued)).toBe(true);
    controller.abort();
  });

  test("an aborted wait takes no slot, not even in the moment of the grant, and leaves no timer", async () => {
    fakeClock();
    const limiter = createLimiter({ requests: 2, perMs: 10, maxConcurrency: 1 });
    expect(await failureOf(limiter.acquire(AbortSignal.abort("early")))).toBe("early");
    const controllers = Array.from({ length: 3 }, () => new AbortController());
    const granted = limiter.acquire(controllers[0]?.signal);
    controllers[0]?.abort("late");
    expect(await failureOf(granted)).toBe("late");
    limiter.pause(5);
    const queued = controllers.slice(1).map(({ signal }) => failureOf(limiter.acquire(signal)));
    expect(vi.getTimerCount()).toBe(1);
    for (const controller of controllers) controller.abort("left");
    expect(await Promise.all(queued)).toEqual(["left", "left"]);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(10);
    expect([typeof limiter.tryAcquire?.(), limiter.tryAcquire?.()]).toEqual(["function", Number.POSITIVE_INFINITY]);
  });

  test("lets no call overtake those that wait, when their time has come but not their timer", async () => {
    fakeClock();
    const limiter = createLimiter({ requests: 1, perMs: 10 });
    await limiter.acquire();
    const first = limiter.acquire();
    const late = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 15);
    expect(limiter.tryAcquire?.()).toBeTypeOf("number");
    late.mockRestore();
    await vi.advanceTimersByTimeAsync(10);
    (await first)();
  });

  test("waits as long with timers that fire a little early", async () => {
    fakeClock();
    const { setTimeout } = globalThis;
    const fireEarly = (run: () => void, ms: number) => setTimeout(run, Math.max(1, ms - 1));
    globalThis.setTimeout = fireEarly as typeof setTimeout;
    const limiter = createLimiter({ requests: 1, perMs: 10 });
    const starts: number[] = [];
    const all = [0, 1, 2].map(() => limiter.acquire().then(() => void starts.push(performance.now())));
    await vi.advanceTimersByTimeAsync(30);
    await Promise.all(all);
    globalThis.setTimeout = setTimeout;
    expect(starts.map((start) => start - Number(starts[0]))).toEqual([0, 10, 20]);
  });
});

describe("rateLimit", () => {
  test("admits one request per second by default without a key", async () => {
    fakeClock();
    const fetch = vi.fn(answer);
    const chain = remote({ fetch });
    const started = performance.now();
    await chain.getMasterchainInfo();
    const rejected = failureOf(chain.getMasterchainInfo({ deadlineMs: 999 }));
    expect(await passing(rejected)).toMatchObject({ code: "TIMEOUT", attempts: 0 });
    await passing(chain.getMasterchainInfo());
    expect([fetch.mock.calls.length, performance.now() - started]).toEqual([2, 1000]);
  });

  test.for([
    ["http://localhost", true],
    ["http://LOCALHOST:4010/node", true],
    ["http://127.0.0.1:4010/", true],
    ["https://127.8.9.10", true],
    ["http://[::1]:4010", true],
    ["http://localhost.example", false],
    ["http://127.0.0.1.example", false],
    ["http://node.example/localhost", false],
    ["http://10.0.0.1", false],
  ] as const)("is off by default on a loopback host: %s, %s", async ([baseUrl, isOff]) => {
    fakeClock();
    const chain = remote({ baseUrl, deadlineMs: 300 });
    await chain.getMasterchainInfo();
    expect((await passing(chain.getConsensusBlock().safe())).ok).toBe(isOff);
  });

  test("is the documented one on a loopback host after a 429, so that a service with limits answers all calls", async () => {
    fakeClock();
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const served: number[] = [];
    const fetch = async () => {
      const now = Date.now();
      if (now - (served.at(-1) ?? 0) < 1_000) return failed429();
      served.push(now);
      return Response.json(success);
    };
    const chain = createClient({ baseUrl: "http://127.0.0.1:4012", fetch });
    const calls = Promise.all(Array.from({ length: 5 }, () => chain.getMasterchainInfo()));
    await vi.advanceTimersByTimeAsync(20_000);
    await calls;
    expect(served).toHaveLength(5);
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });

  test("is another one for another deployment", async () => {
    fakeClock();
    const local = remote({ baseUrl: "http://127.0.0.1:4012", deadlineMs: 300 });
    const other = local.withOptions({ baseUrl: "https://node.example" });
    await other.getMasterchainInfo();
    expect((await passing(other.getConsensusBlock().safe())).ok).toBe(false);
  });

  test.for([
    ["with a key", { apiKey: "secret" }],
    ["where it is false", { rateLimit: false }],
  ] as const)("is off %s", async ([, options]) => {
    fakeClock();
    const fetch = vi.fn(answer);
    const chain = remote({ fetch, deadlineMs: 900, ...options });
    for (let call = 0; call < 10; call++) await passing(chain.getMasterchainInfo());
    expect(fetch).toHaveBeenCalledTimes(10);
  });

  test("counts retries too, and releases its slot however a call ends", async () => {
    await using server = await startFaultServer(failure(503, "busy"), failure(503, "busy"), failure(404, "no"), succeed);
    const rateLimit = { requests: 4, perMs: hour, maxConcurrency: 1 };
    const chain = createClient({ baseUrl: server.url, ...longTimeouts, rateLimit });
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({ status: 503 });
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({ status: 404 });
    await chain.getMasterchainInfo();
    expect(await failureOf(chain.getMasterchainInfo({ deadlineMs: 20 }))).toMatchObject({ code: "TIMEOUT", attempts: 0 });
  });

  test("is paused for all calls by a 429", async () => {
    await using server = await startFaultServer(failure(429, "slow down", { "retry-after": "50" }), succeed);
    const chain = createClient({ baseUrl: server.url, rateLimit: { requests: 100, perMs: 1 }, retry: false });
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({ code: "RATE_LIMIT", retryAfterMs: 50_000 });
    const other = chain.withOptions({ deadlineMs: 50 });
    expect(await failureOf(other.getConsensusBlock())).toMatchObject({ code: "TIMEOUT", attempts: 0 });
    expect(server.seen).toHaveLength(1);
  });

  test("has no slot for a call that is aborted before it starts", async () => {
    const rateLimit = { acquire: async () => () => {}, tryAcquire: vi.fn(() => () => {}), pause() {} };
    await failureOf(remote({ rateLimit }).getMasterchainInfo({ signal: AbortSignal.abort() }));
    expect(rateLimit.tryAcquire).not.toHaveBeenCalled();
  });

  test("is paused by a 429 for a minute at most", async () => {
    const rateLimit = { acquire: async () => () => {}, pause: vi.fn() };
    const fetch = async () => Response.json({}, { status: 429, headers: { "retry-after": "3600" } });
    await failureOf(remote({ rateLimit, fetch }).getMasterchainInfo());
    expect(rateLimit.pause.mock.calls).toEqual([[60_000]]);
  });

  test("is shared by clients with one limiter", async () => {
    await using server = await startFaultServer(succeed);
    const rateLimit = createLimiter({ requests: 1, perMs: hour });
    const [one, other] = [0, 1].map(() => createClient({ baseUrl: server.url, rateLimit }));
    await one?.getMasterchainInfo();
    expect(await failureOf(other?.getMasterchainInfo({ deadlineMs: 20 }) ?? Promise.resolve())).toMatchObject({ attempts: 0 });
  });
});

describe("under fake timers that leave performance as it is", () => {
  const calls = async (options: Partial<ClientOptions>, count: number) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const chain = createClient({ baseUrl: "http://node.test", retry: { maxRetries: 9, baseDelayMs: 1 }, ...options });
    const settled = Promise.all(Array.from({ length: count }, () => chain.getMasterchainInfo().safe()));
    await vi.runAllTimersAsync();
    return settled;
  };

  test("the limiter admits all calls, and a 429 pauses it", async () => {
    let sent = 0;
    const fetch = async () => (++sent === 2 ? failed429() : Response.json(success));
    expect(await calls({ fetch }, 4)).toMatchObject([{ ok: true }, { ok: true }, { ok: true }, { ok: true }]);
    expect(sent).toBe(5);
  });

  test("the deadline ends a call", async () => {
    const fetch = () => new Promise<never>(() => {});
    const ended = await calls({ fetch, rateLimit: false, timeoutMs: 1_000, deadlineMs: 3_500 }, 1);
    expect(ended).toMatchObject([{ error: { code: "TIMEOUT", attempts: 4 } }]);
  });
});

describe("a wait for the limiter", () => {
  test("calls onWait with the expected milliseconds, before the wait", async () => {
    fakeClock();
    const waits: unknown[] = [];
    const hooks: Hooks = { onWait: ({ call, waitMs }) => void waits.push([call.operation, waitMs]) };
    const chain = remote({ hooks, rateLimit: { requests: 1, perMs: 300 } });
    const calls = Promise.all([chain.getMasterchainInfo(), chain.getConsensusBlock(), chain.getOutMsgQueueSize()]);
    expect(waits).toEqual([
      ["getConsensusBlock", 300],
      ["getOutMsgQueueSize", 600],
    ]);
    await passing(calls);
    expect(waits).toHaveLength(2);
  });

  test("has no known end while all slots are in use, or with a limiter that tells nothing", async () => {
    const waits: (number | undefined)[] = [];
    const hooks: Hooks = { onWait: ({ waitMs }) => void waits.push(waitMs) };
    const own = { acquire: async () => () => {}, pause() {} };
    for (const rateLimit of [{ requests: 9, perMs: 1, maxConcurrency: 1 }, own]) {
      const chain = remote({ hooks, rateLimit });
      await Promise.all([chain.getMasterchainInfo(), chain.getConsensusBlock()]);
    }
    expect(waits).toEqual([Number.POSITIVE_INFINITY, undefined, undefined]);
  });

  test.for([
    ["without a key warns once", {}, 1],
    ["with a key, or a limit of one's own, does not warn", { rateLimit: { requests: 1, perMs: 1_500 } }, 0],
    ["with a key in a header does not warn", { headers: { "X-API-Key": "secret" } }, 0],
  ] as const)("of over a second %s", async ([, options, warnings]) => {
    fakeClock();
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const chain = remote(options);
    const same = chain.withOptions({ timeoutMs: 9_000 });
    const first = Promise.all([chain.getMasterchainInfo(), chain.getConsensusBlock()]);
    expect(warn).not.toHaveBeenCalled();
    await passing(Promise.all([first, chain.getOutMsgQueueSize(), same.getMasterchainInfo()]));
    const line =
      "@chain-query/client: getOutMsgQueueSize waits 2000 ms for the rate limit of clients without a key; pass apiKey, or set rateLimit to what the service allows";
    expect(warn.mock.calls).toEqual(Array(warnings).fill([line]));
    warn.mockRestore();
  });

  test("ends after the default deadline, which counts it", async () => {
    fakeClock();
    const chain = remote({ rateLimit: { requests: 1, perMs: hour } });
    await chain.getMasterchainInfo();
    const error = failureOf(chain.getMasterchainInfo());
    const patient = chain.getMasterchainInfo({ deadlineMs: Number.POSITIVE_INFINITY });
    await vi.advanceTimersByTimeAsync(119_000);
    expect(await isPending(error)).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    const message = expect.stringContaining("within the deadlineMs of 120000");
    expect(await error).toMatchObject({ code: "TIMEOUT", attempts: 0, message });
    expect(await passing(patient)).toEqual(success.result);
  });
});

describe("a client", () => {
  test("waits no longer than its deadline for a limiter that ignores its signal, and releases a late slot", async () => {
    let grant: (release: () => void) => void = () => {};
    const acquire = () =>
      new Promise<() => void>((resolve) => {
        grant = resolve;
      });
    const chain = remote({ rateLimit: { acquire, pause() {} } });
    expect(await failureOf(chain.getMasterchainInfo({ deadlineMs: 20 }))).toMatchObject({ code: "TIMEOUT", attempts: 0 });
    const ended = failureOf(chain.getMasterchainInfo({ signal: AbortSignal.timeout(20) }));
    expect(await ended).toMatchObject({ code: "ABORTED", attempts: 0 });
    await new Promise<void>((resolve) => {
      grant(resolve);
    });
  });

  test("with a key pauses all of its calls after a 429, unless rateLimit is false", async () => {
    await using server = await startFaultServer(failure(429, "slow down", { "retry-after": "3600" }), succeed);
    const chain = createClient({ baseUrl: server.url, apiKey: "secret" });
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({ code: "RATE_LIMIT" });
    for (const each of [chain, chain.withOptions({ timeoutMs: 9_000 })]) {
      expect(await failureOf(each.getConsensusBlock({ deadlineMs: 50 }))).toMatchObject({ code: "TIMEOUT", attempts: 0 });
    }
    await using other = await startFaultServer(failure(429, "slow down", { "retry-after": "3600" }), succeed);
    const free = createClient({ baseUrl: other.url, apiKey: "secret", rateLimit: false });
    expect(await failureOf(free.getMasterchainInfo())).toMatchObject({ code: "RATE_LIMIT" });
    await free.getConsensusBlock();
    expect(other.seen).toHaveLength(2);
  });
});
