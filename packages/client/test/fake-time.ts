/** A clock that a test moves: pauses of polls take no time. */
import { afterEach, beforeEach, expect, vi } from "vitest";

/** Stops the clock for each test of a file, and expects that no timer is left at the end. */
export function stopClock(): void {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
}

/** Lets the time pass, from timer to timer, until a promise is settled. Timers that remain do not run. */
export async function passing<Value>(promise: Promise<Value>): Promise<Value> {
  let isSettled = false;
  const settled = () => {
    isSettled = true;
  };
  promise.then(settled, settled);
  while (!isSettled) await vi.advanceTimersToNextTimerAsync();
  return promise;
}
