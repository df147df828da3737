import { join } from "node:path";
import { hashState } from "@chain-query/format/states";
import { describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openProducer } from "../../src/open-producer.ts";
import { allShards } from "../../src/production/network.ts";
import { openNetwork } from "../../src/production/open-network.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { openStore } from "../../src/store/open-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const busy = { seed: 5, accounts: 40, rate: 24, transactionLimit: 8, shards: 4 };

describe("openNetwork", () => {
  test("restores the states of the newest blocks, with queues and pools", async () => {
    const directory = join(temporaryFolder(), "chain");
    await createChain(directory, busy);
    const producer = await openProducer(directory);
    for (let i = 0; i < 9; i++) await producer.step();
    await producer.close();

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
    expect(allShards(network).reduce((sum, { inbound }) => sum + inbound.length, 0)).toBeGreaterThan(0);
    expect(allShards(network).reduce((sum, { delivered }) => sum + delivered.length, 0)).toBeGreaterThan(0);
    expect(allShards(network).reduce((sum, { pool }) => sum + pool.length, 0)).toBeGreaterThan(0);
  });
});

describe("openProducer", () => {
  test("makes the same blocks as a producer that was never closed", async () => {
    const heads = await Promise.all(
      [[14], [1, 4, 9]].map(async (counts) => {
        const directory = join(temporaryFolder(), "chain");
        await createChain(directory, busy);
        for (const count of counts) {
          const producer = await openProducer(directory);
          for (let i = 0; i < count; i++) await producer.step();
          await producer.close();
        }
        const chain = openChain(directory);
        const { block, transactionCount } = chain.head();
        await chain.close();
        return { rootHash: Buffer.from(block.id.rootHash).toString("hex"), transactionCount };
      }),
    );
    expect(heads[1]).toEqual(heads[0]);
  });

  test("makes other blocks from another seed", async () => {
    const roots = await Promise.all(
      [5, 6].map(async (seed) => {
        const directory = join(temporaryFolder(), "chain");
        await createChain(directory, { ...busy, seed });
        const chain = openChain(directory);
        const { block } = chain.genesis();
        await chain.close();
        return Buffer.from(block.rootHash).toString("hex");
      }),
    );
    expect(roots[0]).not.toBe(roots[1]);
  });
});
