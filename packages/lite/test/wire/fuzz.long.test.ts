import { expect, test } from "vitest";
import { fuzzFrames } from "../../fuzz/frames.ts";

test("10,000 malformed frames end their connections, or are answered, and nothing else happens", async () => {
  const count = 10_000;
  const { sent, outcomes, faults, usedGrowth } = await fuzzFrames({ seed: 1, count });
  expect(faults).toEqual([]);
  expect(sent).toBe(count);
  expect([...outcomes.keys()].sort()).toEqual([
    "client: protocol",
    "client: read an answer",
    "client: unsupported",
    "server: answered or passed over",
    "server: closed the connection",
  ]);
  expect(usedGrowth).toBeLessThan(50e6);
});
