/** Which server is asked for the head, and when, with simulated servers and proofs, on a virtual clock. */

import { pause } from "@chain-query/format/async";
import type { BlockId } from "@chain-query/format/identifiers";
import { expect, test, vi } from "vitest";
import { block, useVirtualClock } from "../servers/simulated-network.ts";
import { type Followed, follow } from "./followed-head.ts";

useVirtualClock();

test("beside a slow server, another one goes on from what that one proved", async () => {
  const { network, tip, proofs, events } = await follow([block(250), block(1)], { slow: [0], trusted: 2 });
  await vi.advanceTimersByTimeAsync(4_500);
  network.tips[1] = block(100);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(tip.head?.block).toEqual(block(100));
  expect(proofs.slice(0, 2).map(({ server, from }) => [server, from])).toEqual([
    ["s0", 2],
    ["s1", 22],
  ]);
  expect(network.servers.map(({ state }) => state)).toEqual(["ready", "ready"]);
  // Those of the first server count.
  expect(events.find(({ type }) => type === "verified")).toMatchObject({ isFirst: true, signatures: 3 + 4 });
  // It goes on as before beside the head.
  const lags: number[] = [];
  for (let seqno = 101; seqno <= 180; seqno++) {
    network.tips[1] = block(seqno);
    await vi.advanceTimersByTimeAsync(1_000);
    lags.push(seqno - (tip.head?.block.seqno ?? 0));
  }
  expect(Math.max(...lags)).toBeLessThan(10);
  expect(lags.filter((lag) => lag <= 2).length).toBeGreaterThan(40);
});

test("of slow servers, the fastest one proves the first head", async () => {
  const { tip, proofs } = await follow([block(100), block(90), block(80)], { slow: [0, 1, 2] });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(tip.head?.block.seqno).toBeGreaterThanOrEqual(80);
  expect(proofs.slice(0, 3).map(({ server }) => server)).toEqual(["s0", "s1", "s2"]);
  // No server begins before what another one has proved.
  const begins = proofs.map(({ from }) => from);
  expect(begins).toEqual(begins.toSorted((one, other) => one - other));
  expect(proofs.length).toBeLessThan(12);
});

/** The longest time without a newer head, while the first server has a new block each 400 ms, and the others report `reported`. */
async function longestGap(
  { network, tip }: Followed,
  seconds: number,
  reported: (newest: number, head: number | undefined) => BlockId | undefined,
  onStep: (newest: number) => void = () => {},
): Promise<number> {
  let [at, longest] = [performance.now(), 0];
  const measure = () => {
    longest = Math.max(longest, performance.now() - at);
    at = performance.now();
  };
  tip.watch(measure);
  const first = network.tips[0]?.seqno ?? 0;
  for (let newest = first; newest <= first + seconds / 0.4; newest++) {
    onStep(newest);
    network.tips[0] = block(newest);
    const other = reported(newest, tip.head?.block.seqno);
    if (other) for (const server of network.servers.slice(1)) tip.note(server, other);
    await vi.advanceTimersByTimeAsync(400);
  }
  measure();
  return longest;
}

/** Reads of the state take long at some servers. */
function slowStates({ network }: Followed, ms: number, isSlow: (name: string) => boolean): void {
  const { readHead } = network;
  network.readHead = async (id, ancestor, server, signal) => {
    if (server && isSlow(server.name)) await pause(ms, signal ?? new AbortController().signal);
    signal?.throwIfAborted();
    return readHead(id, ancestor, server, signal);
  };
}

test.each([
  ["four servers that give no proof", "stalls", 4],
  ["two servers that prove one block after the other", "drips", 2],
] as const)("beside %s of another block in the place of the head, there are heads", async (_, behaviour, count) => {
  const all = await follow([block(5), ...Array<BlockId>(count).fill(block(1))]);
  expect(all.tip.head?.block.seqno).toBe(5);
  all.behaviours.fill(behaviour, 1);
  expect(await longestGap(all, 60, (_newest, head) => block(head ?? 0, 2))).toBeLessThan(7_000);
});

test("each of many servers with newer blocks and no proofs costs five seconds, once", async () => {
  const all = await follow([block(5), ...Array<BlockId>(8).fill(block(1))]);
  all.behaviours.fill("stalls", 1);
  expect(await longestGap(all, 60, (newest) => block(newest + 1))).toBeLessThan(8 * 5_000 + 3_000);
  expect(await longestGap(all, 120, (newest) => block(newest + 1))).toBeLessThan(7_000);
});

test("a failed proof of the only honest server does not keep a slow one", async () => {
  const all = await follow([block(5), block(1)]);
  all.behaviours[1] = "drips";
  const gap = await longestGap(
    all,
    60,
    (newest) => block(newest + 1),
    (newest) => {
      all.behaviours[0] = newest % 8 === 0 ? "refuses" : "honest";
    },
  );
  expect(gap).toBeLessThan(10_000);
});

test.each(["refuses", "stalls"] as const)(
  "on the way to the first head, a server that %s once is not behind a slow one",
  async (failure) => {
    const all = await follow([block(1), block(1)], { trusted: 5 });
    all.behaviours.splice(0, 2, failure, "drips");
    all.network.tips.splice(0, 2, block(9), block(8));
    await vi.advanceTimersByTimeAsync(3_000);
    all.behaviours[0] = "honest";
    expect(await longestGap(all, 20, () => undefined)).toBeLessThan(10_000);
    expect(all.proofs.map(({ server }) => server)).toContain("s1");
  },
);

test("a slow server proves its block beside servers without proofs", async () => {
  const { network, tip, behaviours } = await follow([block(5), block(5), block(5)]);
  behaviours.splice(0, 3, "slow", "refuses", "refuses");
  network.tips.fill(block(49));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tip.head?.block.seqno).toBe(49);
});

test("a read of the state that takes longer than five seconds is given up for another server", async () => {
  const all = await follow([block(5), block(5)]);
  slowStates(all, 20_000, (name) => name === "s1");
  expect(await longestGap(all, 60, (newest) => block(newest + 1))).toBeLessThan(7_000);
});

test("a server that failed is asked again beside one that always has a newer block", async () => {
  const all = await follow([block(5), block(5)]);
  all.behaviours[1] = "refuses";
  await longestGap(all, 60, (_newest, head) => block(head ?? 0, 2));
  const asked = all.proofs.filter(({ server, to, from }) => server === "s1" && from > 0 && to > 5);
  expect(asked.length).toBeGreaterThan(2);
});

test("a server without proofs is asked less and less often, and named after five seconds", async () => {
  const { network, tip, proofs, behaviours } = await follow([block(5)]);
  behaviours[0] = "refuses";
  network.tips[0] = block(6);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tip.head?.block.seqno).toBe(5);
  expect(tip.problem).toBe("no block after block 5 is verified: s0: the block is not in the db");
  expect(proofs.length).toBeLessThan(9);
  behaviours[0] = "honest";
  await vi.advanceTimersByTimeAsync(60_000);
  expect([tip.head?.block.seqno, tip.problem]).toEqual([6, undefined]);
});

test("servers without a verified block are asked as the last ones", async () => {
  const { network } = await follow([block(7), block(9, 2)], { trusted: 6 });
  const states = () => network.servers.map(({ status: { state, reason } }) => [state, reason]);
  expect(states()).toEqual([
    ["ready", undefined],
    ["disputed", "has not reported a verified block"],
  ]);
});

test.each([
  ["report the next number with a false hash and prove nothing", "stalls", (honest: number) => block(honest + 1, 2)],
  ["report the same block and prove nothing", "stalls", (honest: number) => block(honest)],
  [
    "report ever newer numbers and prove nothing",
    "stalls",
    (honest: number, at: number) => block(honest + 1 + Math.floor(at / 1_000)),
  ],
  ["prove their block and do not show its state", "honest", (honest: number) => block(honest)],
] as const)("beside nine servers that %s, the first head is there in ten seconds", async (_, behaviour, reported) => {
  const all = await follow(Array<BlockId>(10).fill(block(1)), { trusted: 5 });
  all.behaviours.fill(behaviour, 0, 9);
  slowStates(all, 1_000_000, (name) => name !== "s9");
  const startedAt = performance.now();
  for (let elapsed = 0; !all.tip.head && elapsed < 30_000; elapsed = performance.now() - startedAt) {
    all.network.tips.fill(reported(60, elapsed), 0, 9);
    all.network.tips[9] = block(60);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(all.tip.head?.block).toEqual(block(60));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test("a server that proves another chain block by block does not hold up the first head", async () => {
  const tips = [block(90), block(80, 2)];
  const { tip, behaviours } = await follow(tips, { isForkSigned: true, trusted: 5, late: [1] });
  behaviours[1] = "dripsFast";
  await vi.advanceTimersByTimeAsync(15_000);
  expect(tip.head?.block).toEqual(block(90));
});

test("the servers that proved the last head of a former client come first", async () => {
  const former = await follow([block(5), block(5), block(5), block(5), block(5)], { silent: [0, 1, 2, 3] });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(former.tip.provers).toEqual(["s4"]);
  const tips = Array.from({ length: 5 }, () => block(9));
  const next = await follow(tips, { silent: [0, 1, 2, 3], preferred: former.tip.provers });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(next.proofs[0]?.server).toBe("s4");
  expect(next.tip.head?.block.seqno).toBe(9);
});

test("a server whose reports are later has a lag", async () => {
  const { network } = await follow([block(5), block(5)]);
  network.tips[0] = block(6);
  await vi.advanceTimersByTimeAsync(3_000);
  network.tips[1] = block(6);
  await vi.advanceTimersByTimeAsync(1_000);
  const [first, second] = network.servers.map(({ status }) => status.lag);
  expect(first).toBe(0);
  expect(second).toBeGreaterThan(2.5);
  expect(second).toBeLessThan(3.5);
});

test.each([
  ["workchain", { workchain: 0 }, "(0, 8000000000000000, 11)"],
  ["shard", { shard: 2n ** 62n }, "(-1, 4000000000000000, 11)"],
  ["number", { seqno: -11 }, "(-1, 8000000000000000, -11)"],
])("a server whose newest block has another %s goes to quarantine", async (_, part, id) => {
  const { network, tip } = await follow([block(11), { ...block(11), ...part }]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(network.servers.map(({ state }) => state)).toEqual(["ready", "quarantined"]);
  const reason = `its newest block must be one of the masterchain, got ${id}`;
  expect(network.events).toContainEqual(expect.objectContaining({ type: "quarantine", server: "s1", reason }));
  expect(network.events.find(({ type }) => type === "quarantine")).toMatchObject({
    answer: expect.stringMatching(/^81288385.{200}/),
  });
  expect(tip.head?.block).toEqual(block(11));
});
