import { join } from "node:path";
import { CellBuilder, writeBoc } from "@chain-query/format/cells";
import { coinsOnly } from "@chain-query/format/currencies";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { sharedFolder, temporaryFolder } from "@chain-query/testing/folders";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { createPopulation } from "../../src/genesis/population.ts";
import { sortedQueue } from "../../src/production/collation.ts";
import { openProducer, type Producer } from "../../src/production/producer.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { order } from "../../src/scenario/accounts.ts";
import { externalMessage, internalMessage } from "../../src/traffic/messages.ts";

describe("openProducer", () => {
  test("refuses an invalid time or rate, and continues in order, to the last step before it closes", async () => {
    const directory = temporaryFolder();
    await createChain(directory, { seed: 5, accounts: 10, rate: 5, shards: 2 });
    const producer = await openProducer(directory);
    const { time } = producer.head;
    const refused = [
      [{ time: time - 1 }, `time ${time - 1}: expected at least ${time}, the time of the previous step`],
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

  test("makes several blocks of one second with an interval below a second, and finds the first of them", async () => {
    const directory = temporaryFolder();
    await createChain(directory, { seed: 5, accounts: 10, rate: 5, shards: 2, blockInterval: 0.4, startTime: 1_000 });
    const producer = await openProducer(directory);
    const made = [];
    for (let i = 0; i < 10; i++) made.push(await producer.step());
    await producer.close();
    expect(made.map(({ time }) => time - 1_000)).toEqual([0, 0, 1, 1, 2, 2, 2, 3, 3, 4]);
    const chain = openChain(directory);
    const found = [0, 1, 2, 3, 4].map((second) => chain.block(MASTERCHAIN, { time: 1_000 + second })?.id.seqno);
    await chain.close();
    expect(found).toEqual([1, 3, 5, 8, 10]);
  });

  test("makes the same blocks whether steps are stored one after another or at once", async () => {
    const headAfter = async (...counts: number[]) => {
      const directory = temporaryFolder();
      await createChain(directory, { seed: 5, accounts: 10, rate: 5, shards: 2 });
      const producer = await openProducer(directory);
      for (const count of counts) await producer.steps(Array.from({ length: count }, () => ({ rate: 8 })));
      await producer.close();
      const chain = openChain(directory);
      const { block } = chain.head();
      await chain.close();
      return block.id;
    };
    const head = await headAfter(4);
    expect(head.seqno).toBe(4);
    expect(await headAfter(1, 3)).toEqual(head);
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

const folder = sharedFolder();
const seed = 5n;
const population = createPopulation(seed);
const [ann, ben] = [population.wallet(0), population.wallet(1)];
let producer: Producer;

beforeAll(async () => {
  await createChain(folder, { seed, accounts: 2, shards: 1, rate: 0 });
  producer = await openProducer(folder);
});

afterAll(() => producer.close());

function transfer(seqno: number): Uint8Array {
  const validUntil = producer.head.time + 1_000;
  return order(ann, { seqno, validUntil }, [{ to: ben.id, value: coinsOnly(7n), bounce: false }]);
}

describe("step with external messages", () => {
  test("executes them in addition to the traffic", async () => {
    await producer.step({ messages: [transfer(0)] });
    await producer.step();
    const chain = openChain(folder);
    const [received] = [...chain.transactions(ben.id)];
    await chain.close();
    expect(received?.inMessage?.value).toBe(7n);
  });

  test("leaves no trace of a message that the account refuses", async () => {
    const { transactionCount: idle } = await producer.step();
    const { transactionCount } = await producer.step({ messages: [transfer(99)] });
    expect(transactionCount).toBe(idle);
  });

  const body = new CellBuilder().cell();
  test.each([
    ["other bytes than a bag of cells", () => Buffer.from("hello"), "message 1 is not a message in a bag of cells"],
    [
      "an internal message",
      () => writeBoc(internalMessage({ to: ben.id, value: coinsOnly(1n), bounce: false })),
      "message 1 is internal: expected an external message to an account",
    ],
    [
      "a message to another workchain",
      () => writeBoc(externalMessage({ workchain: 5, hash: ben.id.hash }, body)),
      "message 1 is for workchain 5: expected -1 or 0",
    ],
  ])("refuses %s and executes none of the others", async (_, boc, words) => {
    const { seqno } = producer.head;
    await expect(producer.step({ messages: [transfer(1), boc()] })).rejects.toThrow(words);
    expect(producer.head.seqno).toBe(seqno);
  });
});

describe("sortedQueue", () => {
  test("returns the smallest item, and equal ones in order of insertion", () => {
    const actions = fc.array(fc.oneof(fc.nat({ max: 9 }), fc.constant("shift" as const)));
    fc.assert(
      fc.property(actions, (list) => {
        const queue = sortedQueue<{ readonly key: number; readonly order: number }>(({ key }) => BigInt(key));
        let waiting: { readonly key: number; readonly order: number }[] = [];
        for (const [order, action] of list.entries()) {
          if (action !== "shift") {
            const item = { key: action, order };
            waiting.push(item);
            queue.add(item);
            continue;
          }
          const smallest = waiting.toSorted((a, b) => a.key - b.key || a.order - b.order)[0];
          waiting = waiting.filter((item) => item !== smallest);
          expect(queue.shift()).toBe(smallest);
        }
      }),
      { seed: 1 },
    );
  });
});
