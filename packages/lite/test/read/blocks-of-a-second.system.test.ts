/** Look-ups by time as of a head whose second has newer blocks, at servers that know these. */
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { FAST } from "@chain-query/testing/chains";
import { expect, test } from "vitest";
import { lastOfSecond } from "../../src/faults/chain-tips.ts";
import { connectClient, existing, serve, serveChain } from "../served-chain.ts";

const served = await serveChain(14, { ...FAST, shards: 2, resharding: 4 });
const masters = served.headers.filter(({ id }) => id.workchain === -1);

test("the first block of each second is found", async () => {
  const { client } = connectClient(served.configOf([await serve(served.chain, lastOfSecond())]));
  const first = existing(masters[0]).time;
  const shards = [MASTERCHAIN, { workchain: 0, shard: 2n ** 62n }, { workchain: 0, shard: 1n }];
  let shared = 0;
  for (const [i, { id: at, time: newest }] of masters.entries()) {
    if (masters[i + 1]?.time === newest) shared += 1;
    for (const shard of shards) {
      for (let time = first; time <= newest; time++) {
        const found = await client.lookupBlock(shard, { time }, { at });
        const expected = existing(served.chain.block(shard, { time }));
        // The shard may not have reached the second in this block.
        const isKnown = expected.masterchainSeqno <= at.seqno;
        expect([at.seqno, shard.shard, time, found?.id.seqno]).toEqual([
          ...[at.seqno, shard.shard, time],
          isKnown ? expected.id.seqno : undefined,
        ]);
      }
    }
  }
  expect(shared).toBeGreaterThan(4);
});
