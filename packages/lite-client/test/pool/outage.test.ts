/** The head when servers are unavailable or of another chain. Chain 9 leaves chain 1 after block 5. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ChainTip } from "../../src/pool/chain-tip.ts";
import { block, elapse, SimulatedNetwork, TIME } from "./simulated-network.ts";

let network: SimulatedNetwork;
let tip: ChainTip;
/** The chains and seqnos of the heads. */
let heads: string[];

interface Start {
  readonly quorum?: number;
  readonly chain?: number;
  readonly seqno?: number;
}

async function start(count: number, { quorum, chain = 1, seqno = 10 }: Start = {}): Promise<void> {
  network = new SimulatedNetwork(Array.from({ length: count }, () => ({})));
  network.tips.fill(block(seqno, chain));
  tip = network.follow(quorum);
  heads = [];
  tip.watch(({ block: { seqno, rootHash } }) => heads.push(`${rootHash[0]}:${seqno}`));
  await seconds(2);
  expect(heads).toEqual([`${chain}:${seqno}`]);
}

/** Lets less virtual time pass than a quarantine takes, until an expectation holds. */
async function soon(expectation: () => void): Promise<void> {
  for (let second = 0; second < 200; second++) {
    try {
      return expectation();
    } catch {
      await seconds(1);
    }
  }
  expectation();
}

const remedy = "remove servers that stay unavailable, behind or wrong from the file, or choose a lower quorum";
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);
const eventsOf = (type: string) => network.events.filter((event) => event.type === type);
const states = () => network.servers.map(({ state }) => state);
/** The indexes of servers from one on. */
const from = (first: number) => Array.from({ length: network.servers.length - first }, (_, i) => first + i);

function stop(indexes: readonly number[]): void {
  for (const i of indexes) network.end(i);
}

/** Servers report a block, and are available from now on. */
function report(indexes: readonly number[], seqno: number, chain = 1): void {
  for (const i of indexes) {
    network.behaviours[i] = {};
    network.tips[i] = block(seqno, chain);
  }
}

/** The chain of some servers grows by a block each second. */
async function grow(indexes: readonly number[], first: number, count: number, chain = 1): Promise<void> {
  for (let i = 0; i < count; i++) {
    report(indexes, first + i, chain);
    await seconds(1);
  }
}

/** More than the longest pause between two attempts to connect. */
const RECONNECTED = 61;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(async () => {
  tip.close();
  await network.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe.each([2, 3, 5])("of %i servers, all are unavailable for 135 s", (count) => {
  beforeEach(async () => {
    await start(count);
    stop(from(0));
    await seconds(135);
    expect(states()).not.toContain("ready");
  });

  test("a hostile one that recovers first changes nothing, and the others continue", async () => {
    report([0], 200, 9);
    await seconds(RECONNECTED);
    expect(network.servers[0]?.block).toEqual(block(200, 9));
    report(from(1), 20);
    await seconds(RECONNECTED);
    // Of two servers, both have to report a block.
    expect(heads).toEqual(count === 2 ? ["1:10"] : ["1:10", "1:20"]);
    expect(states()).toEqual(["quarantined", ...from(1).map(() => "ready")]);
    expect(eventsOf("quarantine")).toMatchObject([
      { server: "s0", reason: "its block 200 does not descend from block 10, which was the head" },
    ]);
    expect(eventsOf("fork")).toHaveLength(1);
  });

  test("a hostile one alone for ten minutes changes nothing", async () => {
    report([0], 100, 9);
    await seconds(RECONNECTED);
    await grow([0], 101, 100, 9);
    await seconds(425);
    expect(heads).toEqual(["1:10"]);
    expect(tip.head?.block).toEqual(block(10));
    expect(eventsOf("quarantine")).toHaveLength(1);
    report(from(1), 20);
    await seconds(RECONNECTED);
    expect(heads).toEqual(count === 2 ? ["1:10"] : ["1:10", "1:20"]);
  });

  test("the newest block of a fork that begins above the head is not accepted from a minority", async () => {
    // It descends from the head.
    network.readTip = async (id, ancestor) => ({
      head: { block: id, time: id.seqno, endLt: 0n, stateRootHash: new Uint8Array(32) },
      ancestor: ancestor === undefined ? undefined : block(ancestor, ancestor <= 10 ? 1 : (id.rootHash[0] ?? 0)),
    });
    report([0], 20, 9);
    await seconds(600);
    expect(heads).toEqual(["1:10"]);
  });
});

test("one server continues after an outage", async () => {
  await start(1);
  stop([0]);
  await seconds(135);
  report([0], 20);
  await seconds(RECONNECTED);
  expect(heads).toEqual(["1:10", "1:20"]);
});

describe("without a quorum", () => {
  test("the problem names the servers that are unavailable, and those that never answered", async () => {
    network = new SimulatedNetwork([{}, {}, {}, { isDown: true }, { isDown: true }]);
    network.tips.fill(block(10));
    tip = network.follow();
    await seconds(10);
    expect(tip.problem).toBeUndefined();
    stop([2]);
    await seconds(10);
    const missing = { unavailable: ["s2"], neverAnswered: ["s3", "s4"] };
    expect(eventsOf("no-quorum")).toEqual([{ type: "no-quorum", needed: 3, servers: 2, ...missing }]);
    expect(tip.problem).toBe(
      `no new block can be accepted: 3 of 5 lite servers have to report a block, 2 can be used; never answered: s3, s4; unavailable: s2; ${remedy}`,
    );
    expect(tip.head?.block).toEqual(block(10));
    report([0, 1, 2], 11);
    await seconds(RECONNECTED);
    expect(tip.problem).toBeUndefined();
    expect(eventsOf("quorum")).toEqual([{ type: "quorum", servers: 3 }]);
  });

  test("reads go on from servers that disagree on the next block: a proof shows that the answers are right", async () => {
    await start(3);
    stop([2]);
    report([0], 11);
    report([1], 11, 9);
    await seconds(2);
    expect(network.servers.map(({ status }) => status.state)).toEqual(["disputed", "disputed", "failing"]);
    expect(tip.head?.block).toEqual(block(10));
    expect(await elapse(network.time(5_000))).toBe(TIME);
  });

  test("the problem says what servers report that do not agree", async () => {
    await start(2);
    report([0], 12);
    await seconds(10);
    expect(tip.problem).toBe(
      `no new block can be accepted: 2 of 2 lite servers have to report a block, and they do not agree; s0 reports 12, s1 reports 10; ${remedy}`,
    );
  });

  test("a lower quorum goes on, and still refuses a fork", async () => {
    await start(3, { quorum: 1 });
    stop([1, 2]);
    await grow([0], 11, 3);
    expect(heads).toEqual(["1:10", "1:11", "1:12", "1:13"]);
    report([0], 20, 9);
    await seconds(RECONNECTED);
    expect(heads.at(-1)).toBe("1:13");
    expect(states()[0]).toBe("quarantined");
  });
});

describe("a new head", () => {
  test("is not earlier than the one before", async () => {
    await start(3);
    network.timeOf = () => 3;
    report(from(0), 11);
    await seconds(5);
    expect(heads).toEqual(["1:10"]);
  });

  test("takes one proof, and one of a minority that reports other blocks only now and then", async () => {
    await start(3);
    network.proofs.length = 0;
    report([2], 100);
    await grow([0, 1], 11, 50);
    expect(heads).toHaveLength(51);
    expect(network.proofs.filter((seqno) => seqno < 100)).toHaveLength(50);
    expect(network.proofs.filter((seqno) => seqno >= 100)).toHaveLength(1);
  });

  test("waits for its proof with growing pauses, and the problem says so", async () => {
    await start(3);
    const { readTip } = network;
    network.readTip = async (id, ...rest) => {
      network.proofs.push(id.seqno);
      if (id.seqno > 10) throw new Error("no server has block 10");
      return readTip(id, ...rest);
    };
    tip.close();
    tip = network.follow();
    for (const server of network.servers) tip.note(server, block(10));
    await seconds(0);
    network.proofs.length = 0;
    report(from(0), 11);
    await seconds(60);
    expect(network.proofs.length).toBeLessThan(20);
    expect(tip.problem).toBe("the newest block is not proved to follow block 10: no server has block 10");
  });
});

describe("a head that a quorum contradicts", () => {
  /** One server decides alone, and leaves the chain of the others after block 5. */
  async function followFork(last: number): Promise<void> {
    await start(3, { quorum: 1, seqno: 4 });
    stop([1, 2]);
    await grow([0], 5, 1);
    await grow([0], last, 1, 9);
  }

  test("is given up after a minute, for a block that is proved to follow an earlier head", async () => {
    await followFork(6);
    expect(heads).toEqual(["1:4", "1:5", "9:6"]);
    report([0], 41, 9);
    report([1, 2], 50);
    await soon(() => expect(eventsOf("head-contradicted")).toHaveLength(1));
    await seconds(55);
    expect(tip.head?.block).toEqual(block(41, 9));
    await soon(() => expect(tip.head?.block.seqno).toBe(50));
    expect(eventsOf("head-given-up")).toHaveLength(1);
    expect(eventsOf("head-recovered")).toEqual([{ type: "head-recovered", seqno: 50, common: 5, givenUp: 41 }]);
    expect(heads).toEqual(["1:4", "1:5", "9:6", "9:41", "1:50"]);
    expect(tip.resets).toBe(1);
    await grow([1, 2], 51, 2);
    expect(tip.head?.block).toEqual(block(52));
  });

  test("is given up for a block with the same number", async () => {
    await followFork(6);
    await grow([0], 25, 1, 9);
    report([1, 2], 25);
    await soon(() => expect(tip.resets).toBe(1));
    expect(tip.head?.block).toEqual(block(25));
  });

  test.each(["stays", "leaves"])("is given up for a chain that is shorter, and the server of the fork %s", async (what) => {
    await followFork(6);
    await grow([0], 25, 1, 9);
    expect(heads.at(-1)).toBe("9:25");
    if (what === "leaves") stop([0]);
    report([1, 2], 20);
    await seconds(RECONNECTED + 80);
    expect(eventsOf("head-recovered")).toEqual([{ type: "head-recovered", seqno: 20, common: 5, givenUp: 25 }]);
    expect(tip.head?.block).toEqual(block(20));
    // Also past the block that was given up.
    await grow([1, 2], 21, 7);
    expect(tip.head?.block).toEqual(block(27));
  });

  test("is given up if the only server has another chain now, which is shorter", async () => {
    await start(1, { seqno: 5 });
    await grow([0], 30, 1);
    stop([0]);
    report([0], 20, 9);
    await soon(() => expect(tip.head?.block.seqno).toBe(20));
    expect(tip.head?.block).toEqual(block(20, 9));
    expect(heads).toEqual(["1:5", "1:30", "9:20"]);
  });

  test("stays without a head if no former head is in the history of the other chain", async () => {
    await start(3, { chain: 9 });
    report(from(0), 20);
    await soon(() => expect(eventsOf("head-contradicted")).toHaveLength(1));
    expect(tip.problem).toBe("2 of 3 lite servers contradict block 10, which is given up after a minute");
    expect(tip.head?.block).toEqual(block(10, 9));
    await soon(() => expect(tip.head).toBeUndefined());
    await seconds(1);
    expect(tip.problem).toMatch(/^block 10 was given up, .*: block 20 has none of the former heads in its history$/);
  });

  test("stands if the contradiction ends within a minute", async () => {
    await start(3);
    report([0, 1], 20, 9);
    await soon(() => expect(eventsOf("head-contradicted")).toHaveLength(1));
    report(from(0), 21);
    await seconds(200);
    expect(eventsOf("head-given-up")).toHaveLength(0);
    expect(heads).toEqual(["1:10", "1:21"]);
  });

  test("stands if all servers went back to a former head", async () => {
    await start(3, { seqno: 8 });
    await grow(from(0), 9, 2);
    stop(from(0));
    report(from(0), 8);
    await seconds(300);
    expect(tip.head?.block).toEqual(block(10));
    expect(eventsOf("head-contradicted")).toEqual([]);
  });

  test("stands if most servers only went back to older blocks", async () => {
    await start(3);
    stop([0, 1]);
    report(from(0), 8);
    await seconds(300);
    expect(tip.head?.block).toEqual(block(10));
    report(from(0), 11);
    await seconds(10);
    expect(heads).toEqual(["1:10", "1:11"]);
  });
});
