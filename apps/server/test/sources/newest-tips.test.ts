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
