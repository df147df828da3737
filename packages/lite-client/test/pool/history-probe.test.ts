import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { commonOldest, findOldest, HistoryProbe } from "../../src/pool/history-probe.ts";
import { block, SimulatedNetwork } from "./simulated-network.ts";

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
  test("is exact in a short history, and in a long one at most 2 % of it newer, with 28 queries", async () => {
    const histories = fc.integer({ min: 1, max: 100_000_000 }).chain((newest) =>
      fc.record({
        newest: fc.constant(newest),
        oldest: fc.oneof(fc.integer({ min: 1, max: newest }), fc.integer({ min: Math.max(1, newest - 200), max: newest })),
      }),
    );
    await fc.assert(
      fc.asyncProperty(histories, async ({ newest, oldest }) => {
        const { asked, timeOf } = keeps(oldest);
        const found = await findOldest({ seqno: newest, time: newest * 10 }, timeOf);
        expect(found.time).toBe(found.seqno * 10);
        expect(found.seqno).toBeGreaterThanOrEqual(oldest);
        expect(found.seqno - oldest).toBeLessThanOrEqual((newest - oldest) / 50);
        expect(asked.length).toBeLessThanOrEqual(28);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test("takes one query if the server keeps the whole history", async () => {
    const { asked, timeOf } = keeps(1);
    expect(await findOldest({ seqno: 95_000_000, time: 950_000_000 }, timeOf)).toEqual({ seqno: 1, time: 10 });
    expect(asked).toEqual([1]);
  });

  test("of several servers is the one that all but one keep", () => {
    const server = (seqno: number, state = "ready" as const) => ({ state, oldest: { seqno, time: 10 * seqno } });
    expect(commonOldest([])).toBeUndefined();
    expect(commonOldest([server(5)])?.seqno).toBe(5);
    expect(commonOldest([server(5), server(9)])?.seqno).toBe(5);
    expect(commonOldest([server(9), server(5), server(7), { state: "ready", oldest: undefined }])?.seqno).toBe(7);
    expect(commonOldest([{ ...server(5), state: "failing" }, server(9)])?.seqno).toBe(9);
  });
});

describe("probes", () => {
  let network: SimulatedNetwork;
  let probe: HistoryProbe;
  /** The oldest block of each server. */
  let oldest: number[];
  let queries: number;
  let isBusy: boolean;
  const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);
  const found = () => network.servers.map((server) => server.oldest?.seqno);
  const head = { block: block(100), time: 1_000, endLt: 0n, stateRootHash: new Uint8Array(32) };

  beforeEach(async () => {
    vi.useFakeTimers();
    network = new SimulatedNetwork([{}, {}]);
    oldest = [50, 70];
    queries = 0;
    isBusy = false;
    probe = new HistoryProbe(
      network.servers,
      () => head,
      async ({ address }, _, seqno) => {
        queries += 1;
        if (isBusy) throw new Error("busy");
        return keeps(oldest[address.port] ?? 0).timeOf(seqno);
      },
    );
    await minutes(0.5);
  });
  afterEach(async () => {
    probe.close();
    await network.close();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test("are made at the start and about once an hour", async () => {
    expect(found()).toEqual([50, 70]);
    oldest = [60, 80];
    queries = 0;
    await minutes(40);
    expect([found(), queries]).toEqual([[50, 70], 0]);
    await minutes(40);
    expect(found()).toEqual([60, 80]);
    expect(queries).toBeLessThan(20);
  });

  test("are made soon after a server did not have a block, of one query if nothing has changed", async () => {
    queries = 0;
    probe.missed("s1");
    await minutes(0.1);
    expect([found(), queries]).toEqual([[50, 70], 1]);
    oldest = [60, 80];
    probe.missed("s1");
    await minutes(0.1);
    expect(found()).toEqual([50, 80]);
  });

  test("do not follow each missing block", async () => {
    for (let seconds = 1; seconds <= 600; seconds++) {
      // It deletes a block each second, and callers ask for deleted ones.
      oldest = [50, 70 + seconds / 30];
      probe.missed("s1");
      await minutes(1 / 60);
    }
    expect(queries).toBeLessThan(10 * 12);
  });

  test("of a server that refuses all blocks change nothing", async () => {
    oldest = [100, 101];
    for (const server of network.servers) probe.missed(server.name);
    await minutes(1);
    expect(found()).toEqual([50, 70]);
  });

  test("that fail are made again after a minute, and the result before stays", async () => {
    isBusy = true;
    await minutes(80);
    expect(found()).toEqual([50, 70]);
    oldest = [60, 80];
    isBusy = false;
    await minutes(1.1);
    expect(found()).toEqual([60, 80]);
  });
});
