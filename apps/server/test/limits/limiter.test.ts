import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Limiter, memoryLimiter, rememberRefusals, withFallback } from "../../src/limits/limiter.ts";

const noEvents = { onOutage: () => {}, onLocalCount: () => {} };

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

describe("a clock that is set back by an hour", () => {
  test.each([
    ["in the process that counts", memoryLimiter("keyless", 1, noEvents)],
    ["in a worker that remembers a refusal", rememberRefusals(memoryLimiter("keyless", 1, noEvents))],
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

describe("withFallback", () => {
  /** A primary that takes a second to fail while it hangs. */
  function hangingPrimary(): Limiter & { hangs: boolean; calls: number } {
    return {
      hangs: false,
      calls: 0,
      async take() {
        this.calls++;
        if (!this.hangs) return { allowed: true, remaining: 9, renewal: 1000 };
        await new Promise((resolve) => setTimeout(resolve, 1000));
        throw new Error("no answer");
      },
    };
  }

  test("counts locally, without waiting, while the primary hangs, and in the primary again after that", async () => {
    const primary = hangingPrimary();
    const events = { onOutage: vi.fn(), onLocalCount: vi.fn() };
    const limiter = withFallback(primary, memoryLimiter("keyless", 2, noEvents), events);
    expect(await limiter.take("a")).toMatchObject({ remaining: 9 });
    primary.hangs = true;
    const first = limiter.take("a");
    await vi.advanceTimersByTimeAsync(1000);
    expect(await first).toEqual({ allowed: true, remaining: 1, renewal: 1000 });
    expect([(await limiter.take("a")).allowed, (await limiter.take("a")).allowed]).toEqual([true, false]);
    expect([events.onOutage.mock.calls.length, events.onLocalCount.mock.calls.length, primary.calls]).toEqual([1, 3, 3]);
    primary.hangs = false;
    await vi.advanceTimersByTimeAsync(1000);
    await limiter.take("a");
    await vi.advanceTimersByTimeAsync(0);
    expect(await limiter.take("a")).toMatchObject({ remaining: 9 });
    expect(events.onLocalCount).toHaveBeenCalledTimes(4);
  });
});
