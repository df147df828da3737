import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openProducer } from "../../src/open-producer.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function smallChain(): Promise<string> {
  const directory = join(temporaryFolder(), "chain");
  await createChain(directory, { seed: 5, accounts: 10, rate: 5, shards: 2 });
  return directory;
}

describe("openProducer", () => {
  test("refuses an invalid time or rate, and can continue", async () => {
    const directory = await smallChain();
    const producer = await openProducer(directory);
    const { time } = producer.head;
    const refused = [
      [{ time }, `time ${time}: expected more than ${time}, the time of the previous step`],
      [{ time: time + 0.5 }, `time ${time + 0.5}: expected whole seconds up to 4294967295`],
      [{ time: 2 ** 32 }, "time 4294967296: expected whole seconds up to 4294967295"],
      [{ rate: -1 }, "rate -1: expected a whole number from 0 to 10000"],
    ] as const;
    for (const [options, message] of refused) {
      await expect(producer.step(options)).rejects.toThrow(new RangeError(message));
    }
    expect(await producer.step({ time: time + 90_000 })).toMatchObject({ seqno: 1, time: time + 90_000 });
    expect(producer.head).toEqual({ seqno: 1, time: time + 90_000 });
    await producer.close();
  });

  test("executes concurrent steps in order, and closes after the last", async () => {
    const directory = await smallChain();
    const producer = await openProducer(directory);
    const steps = [producer.step(), producer.step({ rate: 0 }), producer.step()];
    await producer.close();
    expect((await Promise.all(steps)).map(({ seqno }) => seqno)).toEqual([1, 2, 3]);
    const chain = openChain(directory);
    expect(chain.head().block.id.seqno).toBe(3);
    await chain.close();
  });

  test("makes the same blocks if several steps are stored at once", async () => {
    const heads = await Promise.all(
      [
        [1, 1, 1, 1],
        [1, 3],
      ].map(async (parts) => {
        const directory = await smallChain();
        const producer = await openProducer(directory);
        for (const count of parts) await producer.steps(Array.from({ length: count }, () => ({ rate: 8 })));
        await producer.close();
        const chain = openChain(directory);
        const { block, transactionCount } = chain.head();
        await chain.close();
        return { rootHash: Buffer.from(block.id.rootHash).toString("hex"), seqno: block.id.seqno, transactionCount };
      }),
    );
    expect(heads[1]).toEqual(heads[0]);
    expect(heads[0]?.seqno).toBe(4);
  });

  test("makes blocks with tick-tock transactions only if the rate is 0", async () => {
    const directory = await smallChain();
    const producer = await openProducer(directory);
    expect(await producer.step({ rate: 0 })).toMatchObject({ transactionCount: 2 });
    await producer.close();
    const chain = openChain(directory);
    expect(chain.shards().map(({ transactionCount }) => transactionCount)).toEqual([2, 0, 0]);
    await chain.close();
  });

  test("fails for a folder without a chain", async () => {
    await expect(openProducer(join(temporaryFolder(), "nothing"))).rejects.toThrow("nothing");
  });
});
