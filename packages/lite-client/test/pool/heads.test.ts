import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LiteHead } from "../../src/pool/heads.ts";
import { Heads, neededOf } from "../../src/pool/heads.ts";
import { block, SimulatedNetwork } from "./simulated-network.ts";

let network: SimulatedNetwork;
let heads: Heads;
let seen: number[];

async function start(count: number, seqno = 10): Promise<void> {
  network = new SimulatedNetwork(Array.from({ length: count }, () => ({})));
  network.heads.fill(block(seqno));
  const readHeader = async (id: LiteHead["block"]) => ({ block: id, time: 0, endLt: 0n, stateRootHash: new Uint8Array(32) });
  heads = new Heads(network.servers, readHeader, (event) => network.events.push(event));
  network.onBlock = (server, id) => heads.note(server, id);
  seen = [];
  heads.watch(({ block: { seqno: number } }) => seen.push(number));
  await vi.advanceTimersByTimeAsync(200);
}

/** Servers name their next blocks, from left to right. */
async function name(...blocks: readonly [seqno: number, chain?: number][]): Promise<void> {
  for (const [i, [seqno, chain]] of blocks.entries()) network.heads[i] = block(seqno, chain);
  await vi.advanceTimersByTimeAsync(600);
}

const states = () => network.servers.map(({ status }) => status.state);
const told = (type: string) => network.events.filter((event) => event.type === type);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(async () => {
  heads.close();
  await network.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("60 % of the servers decide", async () => {
  await start(1);
  expect([1, 2, 3, 4, 5, 6, 10].map(neededOf)).toEqual([1, 2, 2, 3, 3, 4, 6]);
});

test("one server decides alone", async () => {
  await start(1);
  await name([12]);
  expect(seen).toEqual([10, 12]);
});

test("of two servers, both have to name a block, as long as both answer", async () => {
  await start(2);
  await name([11], [10]);
  expect(seen).toEqual([10]);
  await name([11], [11]);
  expect(seen).toEqual([10, 11]);
  network.behaviours[1] = { isDown: true };
  await network.servers[1]?.close();
  await name([12], [11]);
  await vi.advanceTimersByTimeAsync(6_000);
  await name([13], [11]);
  expect(seen).toEqual([10, 11, 12, 13]);
});

test("two of three servers are enough, so a stale one delays nothing", async () => {
  await start(3);
  await name([11], [11], [10]);
  await name([12], [12], [10]);
  expect(seen).toEqual([10, 11, 12]);
  await vi.advanceTimersByTimeAsync(1_000);
  await name([12], [12], [12]);
  expect(network.servers[2]?.status.lag).toBeGreaterThan(1);
});

test("a head from the future does not count, and does not drive out the others", async () => {
  await start(3);
  for (let i = 1; i <= 5; i++) await name([10 + i], [10 + i], [100 + i, 9]);
  expect(heads.head?.block.seqno).toBe(15);
});

test("the head does not go back", async () => {
  await start(3);
  await name([9], [9], [9]);
  expect(heads.head?.block.seqno).toBe(10);
});

describe("two blocks with one number", () => {
  test("the majority is right, and the other server goes to quarantine", async () => {
    await start(3);
    await name([11, 1], [11, 1], [11, 9]);
    expect(states()).toEqual(["ready", "ready", "quarantined"]);
    expect(told("quarantine")).toMatchObject([
      { server: "s2", reason: expect.stringContaining("names masterchain block 11 as 0909") },
    ]);
    await name([12], [12], [12]);
    expect(seen).toEqual([10, 11, 12]);
  });

  test("the first to name one does not win by that", async () => {
    await start(3);
    await name([10], [10], [11, 9]);
    await name([11], [10], [11, 9]);
    expect(states()).toEqual(["quarantined", "ready", "quarantined"]);
    expect(told("fork")).toMatchObject([{ seqno: 11, claims: [{ servers: ["s2"] }, { servers: ["s0"] }] }]);
    await name([11], [11], [11, 9]);
    expect(states()).toEqual(["ready", "ready", "quarantined"]);
    expect(told("fork-settled")).toHaveLength(1);
    expect(seen).toEqual([10, 11]);
  });

  test("of two servers neither is believed, with one alarm", async () => {
    await start(2);
    await name([11, 1], [11, 9]);
    await name([12, 1], [12, 9]);
    expect(states()).toEqual(["quarantined", "quarantined"]);
    expect(told("fork")).toHaveLength(1);
    expect(seen).toEqual([10]);
  });

  test("against an old head, a late server is wrong", async () => {
    await start(3);
    await name([11], [11], [10]);
    await name([12], [12], [11, 9]);
    expect(states()).toEqual(["ready", "ready", "quarantined"]);
  });
});
