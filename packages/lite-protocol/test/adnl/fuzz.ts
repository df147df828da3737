import { expect, test } from "vitest";
import { fuzzFrames } from "../../fuzz/frames.ts";

/** @param rare - Outcomes that few frames have. */
export function testFrames(count: number, rare: readonly string[]): void {
  test(`${count} malformed frames end their connections, or are answered, and nothing else happens`, async () => {
    const { sent, outcomes, faults, usedGrowth } = await fuzzFrames({ seed: 1, count });
    expect(faults).toEqual([]);
    expect(sent).toBe(count);
    const common = [
      "client: protocol",
      "client: read an answer",
      "server: answered or passed over",
      "server: closed the connection",
    ];
    expect([...outcomes.keys()].sort()).toEqual([...common, ...rare].sort());
    expect(usedGrowth).toBeLessThan(50e6);
  });
}
