import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CellBuilder, writeBoc } from "@chain-query/format/cells";
import { coinsOnly } from "@chain-query/format/currencies";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { createPopulation } from "../../src/genesis/population.ts";
import { openProducer } from "../../src/open-producer.ts";
import type { Producer } from "../../src/production/producer.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { order } from "../../src/story/cast.ts";
import { externalMessage, internalMessage } from "../../src/traffic/messages.ts";

const folder = mkdtempSync(join(tmpdir(), "local-chain-"));
const seed = 5n;
const population = createPopulation(seed);
const [ann, ben] = [population.wallet(0), population.wallet(1)];
let producer: Producer;

beforeAll(async () => {
  await createChain(folder, { seed, accounts: 2, shards: 1, rate: 0 });
  producer = await openProducer(folder);
});

afterAll(async () => {
  await producer.close();
  rmSync(folder, { recursive: true, force: true });
});

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
