import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryLimiter, redisLimiter, rememberRefusals } from "../../src/limits/limiter.ts";
import type { SharedRedis } from "../../src/limits/redis.ts";

const noEvents = { onLocalCount: () => {} };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("memoryLimiter", () => {
  test("allows its rate per second to each owner", async () => {
    const limiter = memoryLimiter("keyless", 3, noEvents);
    const take = async (owner: string): Promise<boolean> => (await limiter.take(owner)).allowed;
    expect([await take("a"), await take("a"), await take("a"), await take("a")]).toEqual([true, true, true, false]);
    expect(await take("b")).toBe(true);
    vi.advanceTimersByTime(999);
    expect(await take("a")).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await take("a")).toBe(true);
  });

  test("returns the remaining requests, and the milliseconds until renewal", async () => {
    const limiter = memoryLimiter("keyless", 2, noEvents);
    expect(await limiter.take("a")).toEqual({ allowed: true, remaining: 1, renewal: 1000 });
    vi.advanceTimersByTime(400);
    expect(await limiter.take("a")).toEqual({ allowed: true, remaining: 0, renewal: 600 });
    expect(await limiter.take("a")).toEqual({ allowed: false, remaining: 0, renewal: 600 });
  });
});

describe("redisLimiter", () => {
  /** A Redis whose script has a reply. */
  function fakeRedis() {
    const state = { problem: undefined as string | undefined, sent: 0, isRefusing: false, count: 0 };
    const rlflxIncr = async (): Promise<readonly number[]> => {
      state.sent++;
      if (state.isRefusing) throw new Error("OOM command not allowed");
      return [++state.count, 1000];
    };
    const client = { status: "ready", defineCommand: () => {}, rlflxIncr };
    return { state, redis: Object.assign(state, { client }) as unknown as SharedRedis };
  }

  test.each(["unavailable", "refusing"])(
    "counts alone at the full rate while Redis is %s, and no more than that",
    async (outage) => {
      const { state, redis } = fakeRedis();
      let alone = 0;
      const limiter = redisLimiter(redis, "chain")("keyless", 2, { onLocalCount: () => void alone++ });
      const take = async (): Promise<boolean> => (await limiter.take("a")).allowed;
      expect([await take(), alone, state.sent]).toEqual([true, 0, 1]);
      if (outage === "refusing") state.isRefusing = true;
      else state.problem = "connection refused";
      expect([await take(), await take(), await take()]).toEqual([true, true, false]);
      expect([alone, state.sent]).toEqual([3, outage === "refusing" ? 4 : 1]);
      // Without asking anything.
      expect([await take(), alone, state.sent]).toEqual([false, 3, outage === "refusing" ? 4 : 1]);
      vi.advanceTimersByTime(1000);
      Object.assign(state, { problem: undefined, isRefusing: false });
      expect([await take(), await take(), alone]).toEqual([true, false, 3]);
    },
  );
});

describe("a clock that is set back by an hour", () => {
  test.each([
    ["in memory", memoryLimiter("keyless", 1, noEvents)],
    ["in an instance that remembers a refusal", rememberRefusals(memoryLimiter("keyless", 1, noEvents))],
  ])("keeps a caller refused for a second at most, %s", async (_, limiter) => {
    await limiter.take("a");
    expect((await limiter.take("a")).allowed).toBe(false);
    vi.setSystemTime(Date.now() - 3_600_000);
    const { allowed, renewal } = await limiter.take("a");
    expect(allowed).toBe(false);
    expect(renewal).toBeLessThanOrEqual(1000);
    vi.advanceTimersByTime(1000);
    expect((await limiter.take("a")).allowed).toBe(true);
  });

  test("does not lengthen a refusal by another process", async () => {
    const refusing = rememberRefusals({ take: async () => ({ allowed: false, remaining: 0, renewal: 1000 }) });
    await refusing.take("a");
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(400);
    expect((await refusing.take("a")).renewal).toBe(600);
  });
});
