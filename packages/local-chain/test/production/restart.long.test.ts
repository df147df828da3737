import { hashState } from "@chain-query/format/states";
import { temporaryFolder } from "@chain-query/testing/folders";
import { expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { allShards, openNetwork } from "../../src/production/network.ts";
import { openProducer } from "../../src/production/producer.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { openStore } from "../../src/store/store.ts";
import { copyMadeChain, madeChain } from "../../src/testing/made-chain.ts";

const busy = { seed: 5, accounts: 40, rate: 24, transactionLimit: 8, shards: 4, resharding: "none" } as const;

test.each([
  ["while shards split and merge and the configuration changes", { ...busy, shards: 1, resharding: 1, keyBlocks: 5 }],
  ["with several blocks of a shard in a step, and none", { ...busy, shardBlocks: "uneven", resharding: 3 }],
] as const)(
  "a producer that is closed and opened again makes the same blocks, from states, queues and pools as they were, %s",
  async (_, busy) => {
    const directory = temporaryFolder();
    await copyMadeChain(directory, { ...busy, steps: 6 });
    const store = openStore(directory);
    const network = openNetwork(store);
    await network.machine.close();
    await store.close();
    const chain = openChain(directory);
    const headers = chain.shards();
    await chain.close();
    for (const { state } of allShards(network)) {
      const header = headers.find(({ id }) => id.workchain === state.shard.workchain && id.shard === state.shard.shard);
      expect(Buffer.from(hashState(state).hash)).toEqual(Buffer.from(header?.stateRootHash ?? []));
      expect(state.queue.size).toBe(header?.queueSize);
    }
    for (const part of ["inbound", "delivered", "pool"] as const) {
      expect(allShards(network).reduce((sum, shard) => sum + shard[part].length, 0)).toBeGreaterThan(0);
    }

    for (const count of [1, 1, 2]) {
      const producer = await openProducer(directory);
      for (let i = 0; i < count; i++) await producer.step();
      await producer.close();
    }
    expect(await headOf(directory)).toEqual(await headOf(await madeChain({ ...busy, steps: 10 })));
  },
);

test("another seed makes other blocks", async () => {
  const folders = [temporaryFolder(), temporaryFolder()];
  for (const [seed, folder] of folders.entries()) await createChain(folder, { ...busy, seed });
  expect(new Set(await Promise.all(folders.map(genesisOf))).size).toBe(2);
});

async function headOf(directory: string): Promise<unknown> {
  const chain = openChain(directory);
  const { block, transactionCount } = chain.head();
  await chain.close();
  return { rootHash: Buffer.from(block.id.rootHash).toString("hex"), transactionCount };
}

async function genesisOf(directory: string): Promise<string> {
  const chain = openChain(directory);
  const { block } = chain.genesis();
  await chain.close();
  return Buffer.from(block.rootHash).toString("hex");
}
