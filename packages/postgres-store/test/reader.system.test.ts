import type { BlockHeader, MessageKey } from "@chain-query/chain-store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgresReader } from "../src/index.ts";
import { withDatabase } from "./indexes.ts";
import { type ReadChain, STEPS, startReadChain } from "./read-chain.ts";

let read: ReadChain;
beforeAll(async () => {
  read = await startReadChain();
});
afterAll(() => read?.[Symbol.asyncDispose]());

describe("as of every head, the reader knows what the LMDB store knew", () => {
  const heads = [0, 1, 2, 7, STEPS - 1, STEPS];

  test.each(heads)("accounts and their histories at %d", async (at) => {
    for (const account of read.accounts) {
      const { block: _, account: __, ...expected } = read.chain.account(account, at) ?? expect.unreachable();
      expect(await read.reader.account(account, at)).toEqual(expected);
      const { lt } = expected.last;
      const history = lt === 0n ? [] : [...read.chain.transactions(account, { fromLt: lt })].slice(0, 7);
      expect(await read.reader.transactions(account, { aboveLt: 0n }, 7, at)).toEqual(history);
    }
  });

  test.each(heads)("both ends of every message at %d", async (at) => {
    const visible = <T extends { readonly masterchainSeqno: number }>(one: T | undefined) =>
      one && one.masterchainSeqno <= at ? one : undefined;
    for (const message of messages()) {
      const { producer, consumer } = read.chain.locate(message);
      expect(await read.reader.findSender(message, at)).toEqual(visible(producer));
      expect(await read.reader.findReceiver(message, at)).toEqual(visible(consumer));
    }
  });

  test.each(heads)("blocks by number, logical time and time at %d", async (at) => {
    const shards = read.chain.shards();
    for (const { id } of shards) {
      for (let seqno = 0; seqno <= id.seqno + 1; seqno++) {
        const block = seqno === 0 ? undefined : read.chain.block(id, { seqno });
        const [lt, time] = [block?.endLt ?? 0n, block?.time ?? 0];
        const selectors = [{ seqno }, { lt }, { lt: lt + 1n }, { time }, { time: time + 1 }] as const;
        for (const selector of selectors) {
          const expected = read.chain.block(id, selector);
          expect(await read.reader.block(id, selector, at)).toEqual(isAt(expected, at) ? expected : undefined);
        }
      }
    }
  });

  function isAt(block: BlockHeader | undefined, at: number): boolean {
    return block !== undefined && block.masterchainSeqno <= at;
  }

  /** Every fifth message between accounts, and one that does not exist. */
  function messages(): MessageKey[] {
    const sent = read.transactions.flatMap(({ outMessages }) =>
      outMessages.flatMap(({ source, destination, createdLt }) =>
        source && destination ? [{ source, destination, createdLt }] : [],
      ),
    );
    return sent.filter((_, index) => index % 5 === 0).flatMap((one) => [one, { ...one, createdLt: one.createdLt + 1n }]);
  }
});

test("the head and the chain are those of the LMDB store", async () => {
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
  const own = await read.indexed();
  const other = openPostgresReader(own);
  const head = await other.head();
  await withDatabase(own, (sql) => sql`UPDATE head SET record = ''`);
  expect(await other.head()).toBe(head);
  await withDatabase(own, (sql) => sql`UPDATE head SET seqno = seqno + 1`);
  await expect(other.head()).rejects.toMatchObject({ kind: "damaged" });
  await other.close();
});
