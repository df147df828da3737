import { describe, expect, test } from "vitest";
import { type Heads, newestHeads, sharedHeads } from "../../src/sources/newest-heads.ts";
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
type Head = ReturnType<typeof block>;
const seqnoOf = ({ block }: Head) => block.seqno;
const heads = (head: number, consensus: number): Heads<Head> => ({ head: block(head), consensus: block(consensus) });
const seqnos = (found: Heads<Head> | undefined) => found && [found.head.block.seqno, found.consensus.block.seqno];

describe("newestHeads", () => {
  test("never goes back, and stays the same object while nothing is newer", async () => {
    const newest = newestHeads(seqnoOf);
    expect(newest.newest(undefined)).toBeUndefined();
    const first = newest.newest(heads(5, 4));
    expect(newest.newest(heads(3, 3))).toBe(first);
    expect(newest.newest(undefined)).toBe(first);
    expect(seqnos(newest.newest(heads(4, 5)))).toEqual([5, 5]);
    await newest.close();
  });
});

describe("sharedHeads", () => {
  test("knows at once what any other reader of the file has added", async () => {
    using folder = temporaryFolder();
    const [one, other] = [sharedHeads(folder.path, seqnoOf), sharedHeads(folder.path, seqnoOf)];
    expect(one.newest(undefined)).toBeUndefined();
    expect(seqnos(other.newest(heads(7, 5)))).toEqual([7, 5]);
    const found = one.newest(heads(6, 6));
    expect(seqnos(found)).toEqual([7, 6]);
    expect(found?.head).toEqual(block(7));
    expect(one.newest(undefined)).toBe(found);
    // Reads in each iteration: no block of the other reader may be missed.
    for (let seqno = 8; seqno < 200; seqno++) {
      const [writer, reader] = seqno % 2 === 0 ? [one, other] : [other, one];
      writer.newest(heads(seqno, seqno - 1));
      expect(seqnos(reader.newest(undefined))).toEqual([seqno, seqno - 1]);
    }
    await Promise.all([one.close(), other.close()]);
  });

  test("keeps the first of two blocks with one number", async () => {
    using folder = temporaryFolder();
    const shared = sharedHeads(folder.path, seqnoOf);
    shared.newest({ head: block(9, 1), consensus: block(9, 1) });
    expect(shared.newest({ head: block(9, 2), consensus: block(9, 2) })?.head).toEqual(block(9, 1));
    await shared.close();
  });
});
