import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Backoff } from "../../src/servers/server-limits.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Failures in a row. Returns the last pause. */
function failTimes(backoff: Backoff, times: number): number {
  return Array.from({ length: times }, () => backoff.fail()).at(-1) ?? 0;
}

test("pauses grow to a minute, in whole milliseconds", () => {
  const backoff = new Backoff();
  const pauses = Array.from({ length: 9 }, () => backoff.fail());
  for (const [i, pause] of pauses.entries()) {
    const longest = Math.min(60_000, 1_000 * 2 ** i);
    expect(pause).toBeGreaterThanOrEqual(longest / 2);
    expect(pause).toBeLessThanOrEqual(longest);
    expect(Number.isInteger(pause)).toBe(true);
  }
});

test("a server that worked for ten seconds is tried again within one, however often it failed before", () => {
  const backoff = new Backoff();
  failTimes(backoff, 9);
  backoff.succeed();
  vi.advanceTimersByTime(10_000);
  expect(backoff.fail()).toBeLessThanOrEqual(1_000);
});

test("a server that fails as soon as it is connected has a longer pause each time", () => {
  const backoff = new Backoff();
  for (let i = 0; i < 6; i++) {
    backoff.succeed();
    vi.advanceTimersByTime(9_000);
    backoff.fail();
  }
  expect(backoff.fail()).toBeGreaterThanOrEqual(30_000);
});
