import { expect, test } from "vitest";
import { fuzzFrames } from "../../fuzz/frames.ts";

/** The same with 100,000 frames is a part of `pnpm bench lite`. */
test("malformed frames end their connections, or are answered, and nothing else happens", async () => {
  const { sent, outcomes, faults, usedGrowth } = await fuzzFrames({ seed: 1, count: 500 });
  expect(faults).toEqual([]);
  expect(sent).toBe(500);
  expect([...outcomes.keys()].sort()).toEqual([
    "client: protocol",
    "client: read an answer",
    "server: answered or passed over",
    "server: closed the connection",
  ]);
  expect(usedGrowth).toBeLessThan(50e6);
});
