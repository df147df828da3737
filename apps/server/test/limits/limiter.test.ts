import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryLimiter } from "../../src/limits/limiter.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("memoryLimiter", () => {
  test("allows its rate per second to each owner", async () => {
    const limiter = memoryLimiter("keyless", 3);
    const take = async (owner: string): Promise<boolean> => (await limiter.take(owner)).allowed;
    expect([await take("a"), await take("a"), await take("a"), await take("a")]).toEqual([true, true, true, false]);
    expect(await take("b")).toBe(true);
    vi.advanceTimersByTime(999);
    expect(await take("a")).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await take("a")).toBe(true);
  });

  test("returns the remaining requests, and the milliseconds until renewal", async () => {
    const limiter = memoryLimiter("keyless", 2);
    expect(await limiter.take("a")).toEqual({ allowed: true, remaining: 1, renewal: 1000 });
    vi.advanceTimersByTime(400);
    expect(await limiter.take("a")).toEqual({ allowed: true, remaining: 0, renewal: 600 });
    expect(await limiter.take("a")).toEqual({ allowed: false, remaining: 0, renewal: 600 });
  });
});
