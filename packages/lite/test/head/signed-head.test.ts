/** What becomes the head, with simulated servers and proofs, on a virtual clock. */

import { expect, test, vi } from "vitest";
import type { SignedForkStore } from "../../src/head/signed-fork.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import { block, useVirtualClock } from "../servers/simulated-network.ts";
import { follow } from "./followed-head.ts";

useVirtualClock();

test("a head is verified at most once a second, from the newest key block", async () => {
  const { network, tip, proofs, kept, events } = await follow([block(5)]);
  for (let seqno = 6; seqno <= 30; seqno++) {
    network.tips[0] = block(seqno);
    await vi.advanceTimersByTimeAsync(400);
  }
  await vi.advanceTimersByTimeAsync(2_000);
  expect(tip.head?.block.seqno).toBe(30);
  expect(proofs.length).toBeGreaterThan(8);
  const pauses = proofs.slice(1).map(({ at }, index) => at - (proofs[index]?.at ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1_000);
  expect([...new Set(proofs.map(({ from }) => from))]).toEqual([0, 10, 20]);
  expect(kept).toEqual([10, 20, 30]);
  expect(tip.trusted.seqno).toBe(30);
  expect(events.filter(({ type }) => type === "sync")).toHaveLength(1);
  expect(events.filter((event) => event.type === "verified" && event.isFirst)).toHaveLength(1);
});

test("the first verification reports its progress, for a log every ten seconds, and hands over no key block before its end", async () => {
  const { tip, kept, events } = await follow([block(70)], { slowAnswers: 7 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect([tip.head, tip.trusted, kept]).toEqual([undefined, block(0), []]);
  await vi.advanceTimersByTimeAsync(15_000);
  expect([tip.head?.block, tip.trusted, kept]).toEqual([block(70), block(70), [70]]);
  const progress = events.flatMap((event) => (event.type === "sync" ? [event] : []));
  expect(progress.slice(0, 7).map(({ seqno, target, signatures }) => [seqno, target, signatures])).toEqual(
    [10, 20, 30, 40, 50, 60, 70].map((seqno) => [seqno, 70, seqno]),
  );
  expect(progress.flatMap(({ seqno, isMilestone }) => (isMilestone ? seqno : []))).toEqual([30, 60]);
});

test("closing ends a verification, and no other one begins", async () => {
  const { tip, proofs, events } = await follow([block(250), block(1)], { slow: [0], trusted: 2 });
  await vi.advanceTimersByTimeAsync(3_000);
  tip.close();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([proofs.length, tip.head, events.filter(({ type }) => type === "sync").length]).toEqual([1, undefined, 1]);
});

test("one honest server decides against any number of servers with wrong signatures, without a pause", async () => {
  const { network, tip, proofs } = await follow([block(9, 2), block(9, 2), block(9, 2), block(9, 2), block(8)]);
  expect(tip.head?.block).toEqual(block(8));
  expect(network.servers.map(({ state }) => state)).toEqual([...Array(4).fill("quarantined"), "ready"]);
  expect(proofs).toHaveLength(5);
  expect(tip.problem).toBeUndefined();
});

test("a block below the trusted one is no head", async () => {
  const { tip, proofs } = await follow([block(5)], { trusted: 10 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect([tip.head, proofs.length]).toEqual([undefined, 0]);
  expect(tip.problem).toContain("signatures are verified up to block 10; no lite server has a newer block");
});

test.each([
  ["with the seqno of the head", block(7), block(7, 2)],
  ["above the head", block(7), block(9, 2)],
  ["below the head, after ten seconds", block(9), block(7, 2)],
])("a signed block of another chain %s ends all reads", async (_, own, other) => {
  const { network, tip, events } = await follow([own, own], { isForkSigned: true });
  expect(tip.head?.block).toEqual(own);
  network.tips[1] = other;
  tip.note(network.servers[1] ?? expect.unreachable(), other);
  await vi.advanceTimersByTimeAsync(15_000);
  expect([tip.head, tip.forkedAt]).toEqual([undefined, Math.min(own.seqno, other.seqno)]);
  expect(tip.problem).toContain("validators have signed two chains");
  expect(events.filter(({ type }) => type === "signed-fork")).toHaveLength(1);
});

test.each([
  ["above the head", [block(7), block(7)], block(9), []],
  ["below the head", [block(9), block(9)], block(7), []],
  ["above the first head", [block(7), block(1)], block(9), [1]],
  ["below the first head", [block(9), block(1)], block(7), [1]],
])(
  "a proof without the block of the history that was asked for, of a block %s, is no second chain",
  async (_, tips, other, late) => {
    const { network, tip, proofs, events } = await follow(tips, { late });
    const { readHead } = network;
    network.readHead = async (...asked) => ({ ...(await readHead(...asked)), ancestor: undefined });
    const before = network.proofs.length;
    network.tips[1] = other;
    tip.note(network.servers[1] ?? expect.unreachable(), other);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(network.proofs.length).toBeGreaterThan(before);
    expect(proofs.length).toBeGreaterThan(0);
    expect([tip.head?.block, tip.forkedAt]).toEqual([tips[0], undefined]);
    expect(events.filter(({ type }) => type === "signed-fork")).toEqual([]);
  },
);

test("a chain that former validators signed is reported once, and reads go on", async () => {
  const { network, tip, proofs, events } = await follow([block(9), block(9)], { isForkSigned: true });
  network.tips[0] = block(12);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([tip.head?.block.seqno, tip.trusted.seqno]).toEqual([12, 10]);
  for (const seqno of [13, 14]) {
    network.tips[1] = block(seqno, 2);
    await vi.advanceTimersByTimeAsync(15_000);
  }
  const refused = events.filter(({ type }) => type === "refused-fork");
  expect(refused).toEqual([{ type: "refused-fork", seqno: 13, blocks: [block(12), block(13, 2)], server: "s1" }]);
  expect(proofs.filter(({ server, from, to }) => server === "s1" && from === 0 && to > 9)).toHaveLength(1);
  expect([tip.head?.block.seqno, tip.forkedAt]).toEqual([12, undefined]);
});

function forksInMemory(given?: string) {
  const kept: { record: string | undefined; problem?: Error } = { record: given };
  const forks: SignedForkStore = {
    removal: "remove the record",
    read: async () => {
      if (kept.problem) throw kept.problem;
      return kept.record;
    },
    write: async (record) => {
      if (kept.problem) throw kept.problem;
      kept.record = record;
    },
  };
  return { kept, forks };
}

test.each([
  ["first and ahead", [block(90, 2), block(40)]],
  ["first and behind", [block(40, 2), block(90)]],
  ["last and ahead", [block(40), block(90, 2)]],
  ["last and behind", [block(90), block(40, 2)]],
  ["last of several, at the same seqno", [block(40), block(40), block(40), block(40), block(40, 2)]],
])("at a start, a second signed chain that is listed %s ends all reads, and so do later starts", async (_, tips) => {
  const { kept: stored, forks } = forksInMemory();
  const first = await follow(tips, { isForkSigned: true, trusted: 5, forks });
  await vi.advanceTimersByTimeAsync(5_000);
  expect([first.tip.head, first.tip.problem]).toEqual([undefined, expect.stringContaining("signed two chains")]);
  expect(first.tip.problem).toContain("when you know which chain is right, take the servers of the other one out of the file");
  expect(first.tip.problem).toContain("remove the record, and restart");
  // The anchor is not one of the wrong chain.
  expect([first.tip.trusted.seqno, first.kept]).toEqual([5, []]);
  const second = await follow([block(100, 2)], { isForkSigned: true, trusted: 5, forks });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([second.tip.head, second.tip.problem]).toEqual([undefined, first.tip.problem]);
  expect(second.events.filter(({ type }) => type === "signed-fork")).toEqual(
    first.events.filter(({ type }) => type === "signed-fork"),
  );
  stored.record = undefined;
  const third = await follow([block(100)], { trusted: 5, forks });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(third.tip.head?.block).toEqual(block(100));
});

test("a second signed chain whose proof takes longer than the first head ends all reads when it is complete", async () => {
  const { kept: stored, forks } = forksInMemory();
  const options = { isForkSigned: true, trusted: 5, slow: [1, 2], forks };
  const { tip, kept } = await follow([block(40, 2), block(90), block(90)], options);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([tip.head?.block, tip.trusted.seqno, kept]).toEqual([block(40, 2), 5, []]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([tip.head, tip.forkedAt, tip.trusted.seqno, kept]).toEqual([undefined, 40, 5, []]);
  expect(stored.record).toContain('"seqno":90');
});

test("the anchor of a first head is kept when other chains were compared, or gave no proof for ten minutes", async () => {
  const { tip, kept, behaviours } = await follow([block(40), block(30, 2)], {
    isForkSigned: true,
    trusted: 5,
    late: [1],
  });
  behaviours[1] = "dripsFast";
  await vi.advanceTimersByTimeAsync(10_000);
  expect([tip.head?.block, kept]).toEqual([block(40), []]);
  await vi.advanceTimersByTimeAsync(700_000);
  expect([tip.head?.block, kept]).toEqual([block(40), [40]]);
});

test.each(["closes", "finds the record of another process"])(
  "a client that %s before other chains are compared keeps no anchor",
  async (event) => {
    const { kept: stored, forks } = forksInMemory();
    const options = { isForkSigned: true, trusted: 5, late: [1], forks };
    const { tip, kept, behaviours } = await follow([block(40), block(30, 2)], options);
    behaviours[1] = "dripsFast";
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tip.head?.block).toEqual(block(40));
    if (event === "closes") tip.close();
    else stored.record = "{}";
    await vi.advanceTimersByTimeAsync(700_000);
    expect([tip.trusted.seqno, kept]).toEqual([5, []]);
  },
);

test.each(["late", "quiet"])(
  "a server whose block is there a second later (%s) is heard before the first head",
  async (how) => {
    const { tip } = await follow([block(40, 2), block(90)], { isForkSigned: true, trusted: 5, [how]: [1] });
    await vi.advanceTimersByTimeAsync(600);
    expect([tip.head, tip.forkedAt]).toEqual([undefined, undefined]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([tip.head, tip.forkedAt]).toEqual([undefined, 40]);
  },
);

test("a record that another process writes ends the reads of this one", async () => {
  const { kept: stored, forks } = forksInMemory();
  const one = await follow([block(7), block(7)], { isForkSigned: true });
  const other = await follow([block(7)], { forks });
  one.network.tips[1] = block(9, 2);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(one.tip.forkedAt).toBe(7);
  expect(other.tip.head?.block.seqno).toBe(7);
  stored.record = '{"seqno":7,"blocks":[{"seqno":7},{"seqno":9}],"server":"s1"}';
  await vi.advanceTimersByTimeAsync(6_000);
  expect([other.tip.head, other.tip.forkedAt]).toEqual([undefined, 7]);
});

test.each(["", "{}", "null", '{"seqno":"x","blocks":[]}'])("a record with the content '%s' counts, too", async (record) => {
  const { tip } = await follow([block(7)], forksInMemory(record));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([tip.head, tip.forkedAt]).toEqual([undefined, 0]);
});

test("nothing is believed before the record can be read, and a record that cannot be written is tried again", async () => {
  const { kept: stored, forks } = forksInMemory();
  stored.problem = new Error("EIO");
  const { network, tip } = await follow([block(7), block(7)], { isForkSigned: true, forks });
  await vi.advanceTimersByTimeAsync(10_000);
  expect([tip.head, tip.problem]).toEqual([
    undefined,
    expect.stringContaining("the record of signed chains cannot be read: EIO"),
  ]);
  delete stored.problem;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(tip.head?.block.seqno).toBe(7);
  stored.problem = new Error("ENOSPC");
  network.tips[1] = block(9, 2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tip.problem).toContain("the record of signed chains cannot be written: ENOSPC");
  delete stored.problem;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(JSON.parse(stored.record ?? "")).toMatchObject({ seqno: 7, blocks: [{ seqno: 7 }, { seqno: 9 }], server: "s1" });
  expect(tip.problem).not.toContain("ENOSPC");
});

test("while nothing can be verified, an event says so once a minute, and names the anchor if servers do not know its block", async () => {
  const gone = await follow([block(9, 2), block(9, 2)], { trusted: 8, anchorFile: "/state/anchor.json", isForkSigned: true });
  const silent = await follow([block(9)], { silent: [0], anchorFile: "/state/anchor.json" });
  await vi.advanceTimersByTimeAsync(200_000);
  const reasons = ({ events }: typeof gone) => events.flatMap((event) => (event.type === "unverified" ? [event.reason] : []));
  expect(reasons(gone)).toHaveLength(4);
  expect(reasons(gone)[0]).toContain("no block is verified yet: signatures are verified up to block 8");
  expect(reasons(gone)[0]).toContain("block 8 of the anchor /state/anchor.json may not be in the chain of the servers");
  expect(reasons(silent)).toHaveLength(4);
  expect(reasons(silent)[0]).not.toContain("anchor.json");
});

test("with a server that the operator runs, its blocks become the head without signatures, and an event says so once a minute", async () => {
  const tips = [block(90), block(12), block(95, 2)];
  const { network, tip, proofs, kept, events } = await follow(tips, { trusted: 5, headFrom: 1, isForkSigned: true });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(tip.head?.block).toEqual(block(12));
  network.tips[1] = block(13);
  network.tips[2] = block(12, 2);
  await vi.advanceTimersByTimeAsync(150_000);
  expect([tip.head?.block, tip.problem, tip.forkedAt]).toEqual([block(13), undefined, undefined]);
  expect([proofs, kept, tip.trusted.seqno]).toEqual([[], [], 5]);
  const unsigned = { type: "unsigned", server: "s1" };
  expect(events.filter(({ type }) => type !== "unsigned")).toEqual([]);
  expect(events).toEqual([unsigned, unsigned, unsigned]);
  network.end(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tip.head?.block).toEqual(block(13));
  expect(tip.problem).toMatch(/^no newer block of lite server s1 becomes the head: connection refused at \d+$/);
});

test.each([
  ["the last head", 5, block(12, 1), block(14, 2), block(12), 12],
  ["the trusted block, at a start", 10, block(11, 2), block(14, 2), undefined, 10],
])("its block that does not descend from %s does not become the head", async (_, trusted, first, second, head, before) => {
  const { network, tip } = await follow([first, block(13)], { trusted, headFrom: 0 });
  await vi.advanceTimersByTimeAsync(2_000);
  network.tips[0] = second;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(tip.head?.block).toEqual(head);
  const cause = `s0: its block 14 does not descend from block ${before}`;
  expect(tip.problem).toBe(`no newer block of lite server s0 becomes the head: ${cause}`);
});

test("its newest block becomes the head within seconds, however long it could not be read", async () => {
  const { network, tip } = await follow([block(11), block(13)], { trusted: 10, headFrom: 0 });
  const { readHead } = network;
  network.readHead = () => Promise.reject(new LiteError("timeout", "no answer"));
  network.tips[0] = block(12);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(tip.head?.block).toEqual(block(11));
  network.readHead = readHead;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(tip.head?.block).toEqual(block(12));
});

test.each([
  ["descends from", 1, block(12)],
  ["does not descend from", 2, undefined],
])("at a start, its block %s one that only other servers keep", async (_, chain, head) => {
  const { network, tip } = await follow([block(12, chain), block(12, chain)], { trusted: 10, headFrom: 0, late: [0] });
  const { readHead } = network;
  network.readHead = (id, ancestor, server) => {
    const keeps = server === undefined || ancestor === undefined;
    return keeps ? readHead(id, ancestor) : Promise.reject(new LiteError("refused", "ltdb: block not found", { code: 651 }));
  };
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tip.head?.block).toEqual(head);
});
