import { afterAll, beforeAll, expect, test } from "vitest";
import { copiedIndex, openTestReader, type ReadChain, STEPS, startReadChain, withDatabase } from "./indexed-chains.ts";
import { describeParity } from "./reader-parity.ts";

describeParity({ heads: [0, 7, STEPS], sample: 6 });

let read: ReadChain;
beforeAll(async () => {
  read = await startReadChain();
});
afterAll(() => read?.[Symbol.asyncDispose]());

test("the head and the chain are the same as in the LMDB store", async () => {
  const head = await read.reader.head();
  expect({ block: head.block, transactionCount: head.transactionCount }).toEqual(read.chain.head());
  expect(head.shards).toEqual(read.chain.shards());
  expect((await read.reader.chain()).masterchain).toEqual(read.chain.genesis().block);
  expect(await read.reader.head()).toBe(head);
});

test("numbers that the database cannot hold find nothing", async () => {
  const [account] = read.accounts;
  if (!account) throw new Error("the chain has no account");
  const huge = 2n ** 64n - 1n;
  expect(await read.reader.transactions(account, { fromLt: huge, aboveLt: 0n }, 5, STEPS)).toEqual([]);
  expect(await read.reader.transactions(account, { aboveLt: huge }, 5, STEPS)).toEqual([]);
  const message = { source: account, destination: account, createdLt: huge };
  expect([await read.reader.findSender(message, STEPS), await read.reader.findReceiver(message, STEPS)]).toEqual([
    undefined,
    undefined,
  ]);
  const shard = read.chain.head().block.id;
  for (const selector of [{ seqno: 2 ** 32 - 1 }, { lt: huge }, { time: 2 ** 32 - 1 }])
    expect(await read.reader.block(shard, selector, STEPS)).toBeUndefined();
});

test("the record of a head that did not move is not sent again", async () => {
  const own = await copiedIndex(read.steps);
  const other = openTestReader(own);
  const head = await other.head();
  await withDatabase(own, (sql) => sql`UPDATE head SET record = ''`);
  expect(await other.head()).toBe(head);
  await withDatabase(own, (sql) => sql`UPDATE head SET seqno = seqno + 1`);
  await expect(other.head()).rejects.toMatchObject({ kind: "damaged" });
  await other.close();
});
