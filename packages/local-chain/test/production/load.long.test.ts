import { temporaryFolder } from "@chain-query/testing/folders";
import { expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openProducer } from "../../src/production/producer.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { verifyChain } from "../../src/verify/verify-chain.ts";

test("shards split while blocks are full, and merge while there is little to do, also in a producer that was opened again", async () => {
  const directory = temporaryFolder();
  await createChain(directory, { seed: 2, accounts: 40, shards: 1, rate: 16, transactionLimit: 4, resharding: "load" });
  /** The numbers of shards after each of some steps. */
  const shardsAfter = async (steps: number, rate: number): Promise<number[]> => {
    const producer = await openProducer(directory);
    const counts: number[] = [];
    for (let i = 0; i < steps; i++) {
      await producer.step({ rate });
      const chain = openChain(directory);
      counts.push(chain.shards().length - 1);
      await chain.close();
    }
    await producer.close();
    return counts;
  };
  const busy = [...(await shardsAfter(12, 16)), ...(await shardsAfter(18, 16))];
  expect(busy.slice(0, 22)).toEqual(Array(22).fill(1));
  expect(busy.at(-1)).toBe(2);
  expect((await shardsAfter(1, 0)).at(-1)).toBe(2);
  expect((await shardsAfter(99, 0)).at(-1)).toBe(1);
  await expect(verifyChain(directory)).resolves.toMatchObject({ steps: 130 });
});
