import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ownLimiter } from "../../src/limits/limiter.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("ownLimiter", () => {
  test("allows as many in a second as it is told, to each owner", async () => {
    const limiter = ownLimiter("keyless", 3);
    const take = async (owner: string): Promise<boolean> => (await limiter.take(owner)).allowed;
    expect([await take("a"), await take("a"), await take("a"), await take("a")]).toEqual([true, true, true, false]);
    expect(await take("b")).toBe(true);
    vi.advanceTimersByTime(999);
    expect(await take("a")).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await take("a")).toBe(true);
  });

  test("tells what is left, and milliseconds until it is renewed", async () => {
    const limiter = ownLimiter("keyless", 2);
    expect(await limiter.take("a")).toEqual({ allowed: true, remaining: 1, renewal: 1000 });
    vi.advanceTimersByTime(400);
    expect(await limiter.take("a")).toEqual({ allowed: true, remaining: 0, renewal: 600 });
    expect(await limiter.take("a")).toEqual({ allowed: false, remaining: 0, renewal: 600 });
  });
});
