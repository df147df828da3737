import { describe, expect, test } from "vitest";
import { newestTips, type Tips } from "../../src/sources/newest-tips.ts";

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
  test("never goes back, and stays the same object while nothing is newer", () => {
    const newest = newestTips(seqnoOf);
    expect(newest.newest(undefined)).toBeUndefined();
    const first = newest.newest(tips(5, 4));
    expect(newest.newest(tips(3, 3))).toBe(first);
    expect(newest.newest(undefined)).toBe(first);
    expect(seqnos(newest.newest(tips(4, 5)))).toEqual([5, 5]);
  });
});

describe("eras", () => {
  test("begin with an older tip", () => {
    const newest = newestTips(seqnoOf);
    newest.newest(tips(9, 9));
    newest.begin(tips(4, 4));
    expect([newest.era, seqnos(newest.newest(tips(3, 3)))]).toEqual([1, [4, 4]]);
  });
});
