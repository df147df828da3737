import { openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { UNEVEN } from "@chain-query/testing/chains";
import { expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { startService } from "../fixtures/service.ts";

test("a number that a merge skipped is not found, and not said to be past the head", async () => {
  const folder = await madeChain(UNEVEN);
  const reader = openChain(folder);
  const skipped = reader
    .shards()
    .flatMap(({ id: { workchain, shard, seqno: head } }) =>
      Array.from({ length: head }, (_, i) => ({ workchain, shard: String(shard), seqno: i + 1 })).filter(
        ({ seqno }) => reader.block({ workchain, shard }, { seqno }) === undefined,
      ),
    );
  await reader.close();
  expect(skipped.length).toBeGreaterThan(0);
  await using service = await startService({ source: { kind: "chain", folder } });
  for (const { workchain, shard, seqno } of skipped) {
    const { body } = await ask(service.url, "lookupBlock", { workchain, shard, seqno });
    const error = `block was not found: seqno ${seqno} of shard ${shard}; the shards of workchain 0 are `;
    expect(body).toMatchObject({ code: 404, error: expect.stringContaining(error) });
  }
});
