/** `lookupBlock` on an index of a chain whose left half is split in two and merged again, over HTTP. */
import type { BlockId, BlockSelector, Step } from "@chain-query/format/store";
import { chainSteps } from "@chain-query/local-chain";
import { blockByPrefix, madeChain, reshardedSteps, selectorsOf, shardOf } from "@chain-query/local-chain/testing";
import { migrate, openPostgresWriter, verifyIndex } from "@chain-query/postgres-store";
import { sharedPostgres } from "@chain-query/testing/services";
import { expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { serviceOn, smallChain } from "./indexed-chain.ts";

/** Writes the steps of a chain, with other shards, to a database. */
async function writeResharded(url: string): Promise<Step[]> {
  const source = chainSteps(await madeChain(smallChain));
  const produced: Step[] = [];
  for await (const step of source.steps({ from: 1, to: smallChain.steps }, new AbortController().signal)) produced.push(step);
  const steps = reshardedSteps(produced);
  await migrate({ url });
  const writer = await openPostgresWriter({ url });
  await writer.begin(await source.genesis());
  await writer.write(steps);
  await writer.close();
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

test("the block of a prefix is found on both sides of a split and a merge, at every depth", async () => {
  const url = await (await sharedPostgres()).createDatabase();
  const steps = await writeResharded(url);
  await verifyIndex({ url });
  await using service = await serviceOn(url);
  const found = new Set<string>();
  for (const prefix of ["", "0", "00", "01", "0011", "0100", "1", "101", "0".repeat(60)]) {
    await Promise.all(
      selectorsOf(steps).map(async (selector) => {
        const expected = blockByPrefix(steps, prefix, selector);
        const members = { workchain: 0, shard: String(shardOf(prefix).shard), ...membersOf(selector) };
        const { status, body } = await ask(service.url, "lookupBlock", members);
        const about = JSON.stringify(members);
        expect([status, body.result], about).toEqual([expected === undefined ? 404 : 200, resultOf(expected)]);
        if (expected !== undefined) found.add(String(expected.shard));
      }),
    );
  }
  expect(found).toEqual(new Set(["0", "00", "01", "1"].map((prefix) => String(shardOf(prefix).shard))));
});
