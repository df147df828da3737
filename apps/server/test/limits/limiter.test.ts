import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clientOf } from "../../src/limits/client-address.ts";
import { memoryLimiter, redisLimiter, rememberRefusals } from "../../src/limits/limiter.ts";
import type { SharedRedis } from "../../src/limits/redis.ts";

const noEvents = { onLocalCount: () => {} };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a limiter admits its rate per second to each owner, and says what is left and when it renews", async () => {
  const limiter = memoryLimiter("keyless", 2, noEvents);
  expect(await limiter.take("a")).toEqual({ allowed: true, remaining: 1, renewal: 1000 });
  vi.advanceTimersByTime(400);
  expect(await limiter.take("a")).toEqual({ allowed: true, remaining: 0, renewal: 600 });
  expect(await limiter.take("a")).toEqual({ allowed: false, remaining: 0, renewal: 600 });
  expect(await limiter.take("b")).toMatchObject({ allowed: true });
  vi.advanceTimersByTime(600);
  expect(await limiter.take("a")).toMatchObject({ allowed: true });
});

test("while Redis refuses, an instance counts alone at the full rate, and a refused caller costs Redis nothing", async () => {
  const replies = { sent: 0, isRefusing: true };
  const rlflxIncr = async (): Promise<readonly number[]> => {
    replies.sent++;
    if (replies.isRefusing) throw new Error("OOM command not allowed");
    return [1, 1000];
  };
  const client = { status: "ready", defineCommand: () => {}, rlflxIncr };
  const redis = { problem: undefined, client } as unknown as SharedRedis;
  let alone = 0;
  const limiter = redisLimiter(redis, "chain")("keyless", 2, { onLocalCount: () => void alone++ });
  const take = async (): Promise<boolean> => (await limiter.take("a")).allowed;
  expect([await take(), await take(), await take(), await take()]).toEqual([true, true, false, false]);
  expect([alone, replies.sent]).toEqual([3, 3]);
  vi.advanceTimersByTime(1000);
  replies.isRefusing = false;
  expect([await take(), alone]).toEqual([true, 3]);
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

describe("clientOf", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["192.0.2.7:50123", "192.0.2.7"],
    ["[2001:db8::1]:50123", "2001:db8:0:0::/64"],
    ["[::ffff:192.0.2.7]", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
    ["0000:0000:0000:0000:0000:FFFF:c000:0207", "192.0.2.7"],
    ["unknown", "unknown"],
  ])("counts %s as %s", (address, client) => {
    expect(clientOf(address)).toBe(client);
  });
});
