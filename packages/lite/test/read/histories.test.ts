import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { commonOldest, findHistory, findOldest } from "../../src/read/histories.ts";
import { block, SimulatedNetwork, useVirtualClock } from "../servers/simulated-network.ts";

/** Times are ten times the seqno. */
function keeps(oldest: number) {
  const asked: number[] = [];
  const timeOf = async (seqno: number) => {
    asked.push(seqno);
    return seqno >= oldest ? seqno * 10 : undefined;
  };
  return { asked, timeOf };
}

describe("the oldest block of a server", () => {
  test("is exact in a short history, and in a long one at most 2 % of it newer, with 29 queries", async () => {
    const histories = fc.integer({ min: 1, max: 100_000_000 }).chain((newest) =>
      fc.record({
        newest: fc.constant(newest),
        oldest: fc.oneof(fc.integer({ min: 1, max: newest }), fc.integer({ min: Math.max(1, newest - 200), max: newest })),
      }),
    );
    await fc.assert(
      fc.asyncProperty(histories, async ({ newest, oldest }) => {
        const { asked, timeOf } = keeps(oldest);
        const found = await findOldest(newest, timeOf);
        expect(asked.length).toBeLessThanOrEqual(29);
        if (oldest === newest && newest > 1) {
          expect(found).toBeUndefined();
          return;
        }
        const seqno = found?.seqno ?? 0;
        expect(found?.time).toBe(seqno * 10);
        expect(seqno).toBeGreaterThanOrEqual(oldest);
        expect(seqno - oldest).toBeLessThanOrEqual((newest - oldest) / 50);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test("takes one query if the server keeps the whole history", async () => {
    const { asked, timeOf } = keeps(1);
    expect(await findOldest(95_000_000, timeOf)).toEqual({ seqno: 1, time: 10 });
    expect(asked).toEqual([1]);
  });

  test("of several servers is the one that all but one keep", () => {
    const server = (seqno: number) => ({ name: "s", state: "ready", oldest: { seqno, time: 10 * seqno } }) as const;
    expect(commonOldest([])).toBeUndefined();
    expect(commonOldest([server(5)])?.seqno).toBe(5);
    expect(commonOldest([server(5), server(9)])?.seqno).toBe(5);
    expect(commonOldest([server(9), server(5), server(7), { name: "s", state: "failing", oldest: undefined }])?.seqno).toBe(7);
  });
});

useVirtualClock();

test("a search waits for the connection, and asks a server that cannot be reached nothing", async () => {
  const network = new SimulatedNetwork([{ connectDelay: 700 }, { isDown: true }]);
  network.tips.fill(block(100));
  const { asked, timeOf } = keeps(70);
  const { signal } = new AbortController();
  const found = Promise.all(network.servers.map((server) => findHistory(server, signal, (_, seqno) => timeOf(seqno))));
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(500);
  expect(await found).toEqual([{ seqno: 70, time: 700 }, undefined]);
});
