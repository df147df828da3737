/** Look-ups by time as of a head whose second has newer blocks, at servers that know these. */
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { FAST } from "@chain-query/testing/chains";
import { expect, onTestFinished, test } from "vitest";
import { liteChain } from "../../src/answers/signing-chain.ts";
import { lastOfSecond } from "../../src/faults/chain-tips.ts";
import { startFaultyLiteServer } from "../../src/faults/faulty-server.ts";
import { liteClient } from "../../src/lite-client.ts";
import { existing, serveChain } from "../served-chain.ts";

const served = await serveChain(14, { ...FAST, shards: 2, resharding: 4 });
const masters = served.headers.filter(({ id }) => id.workchain === -1);

test("the first block of each second is found", async () => {
  const behaviours = [lastOfSecond()];
  const server = await startFaultyLiteServer({ chain: liteChain(served.chain), key: new Uint8Array(32).fill(9), behaviours });
  await using client = liteClient(served.configOf([server]), { rate: 100_000 });
  onTestFinished(() => server.close());
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
