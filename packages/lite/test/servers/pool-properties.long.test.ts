import { afterEach, beforeEach, test, vi } from "vitest";
import { checkReads } from "./pool-reads.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("no read ends after its deadline, no server gets more than its limit, and no answer is wrong", () => checkReads(60));
