import { expect, test } from "vitest";
import { AcceptedHeads } from "../../src/head/heads.ts";
import { block } from "../servers/simulated-network.ts";

test("keeps the newest heads without gaps, and older ones with growing gaps", () => {
  const heads = new AcceptedHeads();
  const last = 100_000;
  for (let seqno = 1; seqno <= last; seqno++) {
    heads.add({ block: { ...block(1), seqno }, time: 0, endLt: 0n, stateRootHash: new Uint8Array(32) });
  }
  const kept = Array.from({ length: last }, (_, i) => i + 1).filter((seqno) => heads.get(seqno));
  expect(kept.length).toBeLessThanOrEqual(2_048);
  expect(kept.slice(-512)).toEqual(Array.from({ length: 512 }, (_, i) => last - 511 + i));
  expect(kept[0]).toBe(1);
  for (const [i, seqno] of kept.entries()) {
    if (i > 0) expect(seqno - (kept[i - 1] ?? 0)).toBeLessThanOrEqual(Math.max(1, (last - seqno) / 4));
  }
  expect(heads.last?.block.seqno).toBe(last);
});
