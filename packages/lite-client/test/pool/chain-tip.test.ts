import type { BlockId } from "@chain-query/format/identifiers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ChainTip } from "../../src/pool/chain-tip.ts";
import { requiredVotes } from "../../src/pool/quorum.ts";
import { block, SimulatedNetwork } from "./simulated-network.ts";

let network: SimulatedNetwork;
let tip: ChainTip;
let seen: number[];

async function start(count: number, seqno = 10): Promise<void> {
  network = new SimulatedNetwork(Array.from({ length: count }, () => ({})));
  network.tips.fill(block(seqno));
  tip = network.follow();
  seen = [];
  tip.watch(({ block: { seqno: number } }) => seen.push(number));
  await vi.advanceTimersByTimeAsync(200);
}

/** Servers report their next blocks, from left to right. */
async function name(...blocks: readonly (BlockId | readonly [seqno: number, chain?: number])[]): Promise<void> {
  for (const [i, named] of blocks.entries()) network.tips[i] = "seqno" in named ? named : block(...named);
  await vi.advanceTimersByTimeAsync(600);
}

const states = () => network.servers.map(({ status }) => status.state);
const eventsOf = (type: string) => network.events.filter((event) => event.type === type);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(async () => {
  tip.close();
  await network.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("60 % of the servers decide", async () => {
  await start(1);
  expect([1, 2, 3, 4, 5, 6, 10].map(requiredVotes)).toEqual([1, 2, 2, 3, 3, 4, 6]);
});

test("one server decides alone", async () => {
  await start(1);
  await name([12]);
  expect(seen).toEqual([10, 12]);
});

test("of two servers, both have to report a block, however long one is unavailable", async () => {
  await start(2);
  await name([11], [10]);
  expect(seen).toEqual([10]);
  await name([11], [11]);
  expect(seen).toEqual([10, 11]);
  network.end(1);
  await name([12], [11]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(seen).toEqual([10, 11]);
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

test("a head from the future does not count, and does not replace the others", async () => {
  await start(3);
  for (let i = 1; i <= 5; i++) await name([10 + i], [10 + i], [100 + i, 9]);
  expect(tip.head?.block.seqno).toBe(15);
});

test("the head does not go back", async () => {
  await start(3);
  await name([9], [9], [9]);
  expect(tip.head?.block.seqno).toBe(10);
});

describe("two blocks with one number", () => {
  test("the majority is right, and the other server goes to quarantine", async () => {
    await start(3);
    await name([11, 1], [11, 1], [11, 9]);
    expect(states()).toEqual(["ready", "ready", "quarantined"]);
    expect(eventsOf("quarantine")).toMatchObject([
      {
        server: "s2",
        reason: expect.stringMatching(/^reports masterchain block 11 as 0909.*, which was the head as 0101/),
        query: expect.stringMatching(/^[0-9a-f]{8,}$/),
        answer: expect.stringMatching(new RegExp(`^81288385.{32}${"09".repeat(31)}0b`)),
      },
    ]);
    await name([12], [12], [12]);
    expect(seen).toEqual([10, 11, 12]);
  });

  test("the first report does not decide", async () => {
    await start(3);
    await name([10], [10], [11, 9]);
    await name([11], [10], [11, 9]);
    expect(states()).toEqual(["disputed", "ready", "disputed"]);
    expect(eventsOf("fork")).toMatchObject([{ seqno: 11, claims: [{ servers: ["s2"] }, { servers: ["s0"] }] }]);
    await name([11], [11], [11, 9]);
    expect(states()).toEqual(["ready", "ready", "quarantined"]);
    expect(eventsOf("fork-settled")).toHaveLength(1);
    expect(seen).toEqual([10, 11]);
  });

  test("of two servers neither decides, with one event", async () => {
    await start(2);
    await name([11, 1], [11, 9]);
    await name([12, 1], [12, 9]);
    expect(states()).toEqual(["disputed", "disputed"]);
    expect(eventsOf("fork")).toHaveLength(1);
    expect(seen).toEqual([10]);
  });

  test("a majority for a later number settles a number that the others never report", async () => {
    await start(3);
    await name([11], [10], [11, 9]);
    expect(states()).toEqual(["disputed", "ready", "disputed"]);
    await name([12], [12], [11, 9]);
    expect(states()[0]).toBe("ready");
    expect(eventsOf("fork-settled")).toHaveLength(1);
    expect(seen).toEqual([10, 12]);
  });

  test("against an old head, a late server is wrong", async () => {
    await start(3);
    await name([11], [11], [10]);
    await name([12], [12], [11, 9]);
    expect(states()).toEqual(["ready", "ready", "quarantined"]);
  });
});

describe("ids of blocks are compared as a whole", () => {
  test("a server with another file hash goes to quarantine, and no other one, however late", async () => {
    await start(5);
    const wrong = { ...block(11), fileHash: new Uint8Array(32).fill(9) };
    await name(wrong, [10], [10], [10], [10]);
    await name(wrong, [11], [11], [11], [10]);
    await name(wrong, [11], [11], [11], [11]);
    expect(states()).toEqual(["quarantined", "ready", "ready", "ready", "ready"]);
    expect(eventsOf("quarantine")).toHaveLength(1);
    expect(tip.head?.block).toEqual(block(11));
  });

  test.each([
    ["workchain", { workchain: 0 }, "(0, 8000000000000000, 11)"],
    ["shard", { shard: 2n ** 62n }, "(-1, 4000000000000000, 11)"],
  ])("a server whose newest block has another %s goes to quarantine", async (_, part, id) => {
    await start(3);
    await name({ ...block(11), ...part }, [10], [10]);
    expect(states()).toEqual(["quarantined", "ready", "ready"]);
    const reason = `its newest block must be one of the masterchain, got ${id}`;
    expect(eventsOf("quarantine")).toMatchObject([{ reason, answer: expect.stringMatching(/^81288385.{200}/) }]);
    await name([11], [11], [11]);
    expect(tip.head?.block).toEqual(block(11));
  });

  test("so does one whose newest block has a negative number", async () => {
    await start(1, -5);
    expect(states()).toEqual(["quarantined"]);
  });
});
