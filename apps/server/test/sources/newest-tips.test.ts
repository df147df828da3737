import { describe, expect, test } from "vitest";
import { newestTips, sharedTips, type Tips } from "../../src/sources/newest-tips.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const block = (seqno: number, fill: number = seqno) => ({
  block: {
    workchain: -1,
    shard: -(2n ** 63n),
    seqno,
    rootHash: new Uint8Array(32).fill(fill),
    fileHash: new Uint8Array(32).fill(fill + 1),
  },
  time: 1_700_000_000 + seqno,
  endLt: 2n ** 62n + BigInt(seqno),
  stateRootHash: new Uint8Array(32).fill(fill + 2),
});
type Tip = ReturnType<typeof block>;
const seqnoOf = ({ block }: Tip) => block.seqno;
const tips = (tip: number, consensus: number): Tips<Tip> => ({ tip: block(tip), consensus: block(consensus) });
const seqnos = (found: Tips<Tip> | undefined) => found && [found.tip.block.seqno, found.consensus.block.seqno];

describe("newestTips", () => {
  test("never goes back, and stays the same object while nothing is newer", async () => {
    const newest = newestTips(seqnoOf);
    expect(newest.newest(undefined)).toBeUndefined();
    const first = newest.newest(tips(5, 4));
    expect(newest.newest(tips(3, 3))).toBe(first);
    expect(newest.newest(undefined)).toBe(first);
    expect(seqnos(newest.newest(tips(4, 5)))).toEqual([5, 5]);
    await newest.close();
  });
});

describe("eras", () => {
  test("of one process begin with an older tip", () => {
    const newest = newestTips(seqnoOf);
    newest.newest(tips(9, 9));
    newest.restart(tips(4, 4));
    expect([newest.era, seqnos(newest.newest(tips(3, 3)))]).toEqual([1, [4, 4]]);
  });

  test("of several processes: one that still reads from the old servers does not bring the old tips back", async () => {
    using folder = temporaryFolder();
    const [one, other] = [sharedTips(folder.path, seqnoOf), sharedTips(folder.path, seqnoOf)];
    one.newest(tips(90, 90));
    expect(seqnos(other.newest(undefined))).toEqual([90, 90]);
    one.restart(tips(40, 40));
    expect([other.era, seqnos(other.newest(tips(91, 91))), other.era]).toEqual([0, [40, 40], 1]);
    expect(seqnos(one.newest(tips(41, 40)))).toEqual([41, 40]);
    other.join();
    expect(seqnos(other.newest(tips(42, 42)))).toEqual([42, 42]);
    // A process that starts later joins the current era.
    const late = sharedTips(folder.path, seqnoOf);
    expect(seqnos(late.newest(tips(43, 43)))).toEqual([43, 43]);
    await Promise.all([one.close(), other.close(), late.close()]);
  });

  test("begin in any case if the operator says so", async () => {
    using folder = temporaryFolder();
    const [primary, worker] = [sharedTips(folder.path, seqnoOf), sharedTips(folder.path, seqnoOf)];
    worker.newest(tips(90, 90));
    worker.restart(tips(80, 80));
    primary.begin(tips(40, 40));
    expect([seqnos(worker.newest(tips(81, 81))), worker.era]).toEqual([[40, 40], 2]);
    expect(seqnos(primary.newest(tips(41, 41)))).toEqual([41, 41]);
    await Promise.all([primary.close(), worker.close()]);
  });

  test("that several processes begin for the same reason are one, and the tips do not go back in it", async () => {
    using folder = temporaryFolder();
    const [one, other] = [sharedTips(folder.path, seqnoOf), sharedTips(folder.path, seqnoOf)];
    one.newest(tips(90, 90));
    one.restart(tips(40, 40));
    one.newest(tips(45, 45));
    other.restart(tips(41, 41));
    expect([seqnos(other.newest(undefined)), other.era]).toEqual([[45, 45], 1]);
    expect(seqnos(other.newest(tips(46, 46)))).toEqual([46, 46]);
    await Promise.all([one.close(), other.close()]);
  });
});

describe("sharedTips", () => {
  test("knows at once what any other reader of the file has added", async () => {
    using folder = temporaryFolder();
    const [one, other] = [sharedTips(folder.path, seqnoOf), sharedTips(folder.path, seqnoOf)];
    expect(one.newest(undefined)).toBeUndefined();
    expect(seqnos(other.newest(tips(7, 5)))).toEqual([7, 5]);
    const found = one.newest(tips(6, 6));
    expect(seqnos(found)).toEqual([7, 6]);
    expect(found?.tip).toEqual(block(7));
    expect(one.newest(undefined)).toBe(found);
    // Reads in each iteration: no block of the other reader may be missed.
    for (let seqno = 8; seqno < 200; seqno++) {
      const [writer, reader] = seqno % 2 === 0 ? [one, other] : [other, one];
      writer.newest(tips(seqno, seqno - 1));
      expect(seqnos(reader.newest(undefined))).toEqual([seqno, seqno - 1]);
    }
    await Promise.all([one.close(), other.close()]);
  });

  test("keeps the first of two blocks with one number", async () => {
    using folder = temporaryFolder();
    const shared = sharedTips(folder.path, seqnoOf);
    shared.newest({ tip: block(9, 1), consensus: block(9, 1) });
    expect(shared.newest({ tip: block(9, 2), consensus: block(9, 2) })?.tip).toEqual(block(9, 1));
    await shared.close();
  });
});
