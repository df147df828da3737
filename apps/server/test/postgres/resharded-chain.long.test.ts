/** `lookupBlock` on an index of a chain whose shards split and merge, over HTTP. */
import type { BlockId, BlockSelector, Step } from "@chain-query/format/store";
import { chainSteps } from "@chain-query/local-chain";
import { blockByPrefix, madeChain, prefixOf, selectorsOf, shardOf } from "@chain-query/local-chain/testing";
import { sharedPostgres } from "@chain-query/testing/services";
import { expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { indexedDatabase, reshardedChain, serviceOn } from "./indexed-chain.ts";

async function producedSteps(): Promise<Step[]> {
  const source = chainSteps(await madeChain(reshardedChain));
  const steps: Step[] = [];
  for await (const step of source.steps({ from: 1, to: reshardedChain.steps }, new AbortController().signal)) steps.push(step);
  await source.close();
  return steps;
}

/** The fields of a block id that a response has. */
function resultOf(id: BlockId | undefined): unknown {
  if (id === undefined) return undefined;
  const [root_hash, file_hash] = [id.rootHash, id.fileHash].map((hash) => Buffer.from(hash).toString("base64"));
  return { "@type": "chain.blockIdExt", workchain: 0, shard: String(id.shard), seqno: id.seqno, root_hash, file_hash };
}

/** A selector as the members of a request. */
function membersOf(selector: BlockSelector): Readonly<Record<string, string | number>> {
  if ("lt" in selector) return { lt: String(selector.lt) };
  return "time" in selector ? { unixtime: selector.time } : selector;
}

test("the block of a prefix is found on both sides of splits and merges, at every depth", async () => {
  const steps = await producedSteps();
  await using service = await serviceOn(await indexedDatabase(await sharedPostgres(), reshardedChain));
  const found = new Set<string>();
  for (const [index, prefix] of ["", "0", "01", "0011", "1", "110", "1101", "0".repeat(60)].entries()) {
    await Promise.all(
      selectorsOf(steps)
        .filter((_, i) => i % 8 === index)
        .map(async (selector) => {
          const expected = blockByPrefix(steps, prefix, selector);
          const members = { workchain: 0, shard: String(shardOf(prefix).shard), ...membersOf(selector) };
          const { status, body } = await ask(service.url, "lookupBlock", members);
          const about = JSON.stringify(members);
          expect([status, body.result], about).toEqual([expected === undefined ? 404 : 200, resultOf(expected)]);
          if (expected !== undefined) found.add(prefixOf(expected));
        }),
    );
  }
  expect(new Set([...found].map(({ length }) => length))).toEqual(new Set([0, 1, 2, 3, 4]));
});
