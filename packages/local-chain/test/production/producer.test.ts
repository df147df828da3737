import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openProducer } from "../../src/open-producer.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { temporaryFolder } from "../temporary-folder.ts";

describe("openProducer", () => {
  test("refuses an invalid time or rate, and continues in order, to the last step before it closes", async () => {
    const directory = temporaryFolder();
    await createChain(directory, { seed: 5, accounts: 10, rate: 5, shards: 2 });
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

    const steps = [producer.step(), producer.step({ rate: 0 }), producer.step()];
    await producer.close();
    expect((await Promise.all(steps)).map(({ seqno }) => seqno)).toEqual([2, 3, 4]);
    const chain = openChain(directory);
    expect(chain.head().block.id.seqno).toBe(4);
    await chain.close();
  });

  test("makes blocks with tick-tock transactions only if the rate is 0", async () => {
    const directory = temporaryFolder();
    await createChain(directory, { seed: 5, accounts: 10, rate: 5, shards: 2 });
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
