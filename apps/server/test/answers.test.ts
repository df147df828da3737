/** The caches of JSON answers. */
import { afterAll, describe, expect, inject, test } from "vitest";
import { encodeOnce } from "../src/answers/encoded.ts";
import { LocatedTransactions } from "../src/answers/located.ts";
import { TransactionPages } from "../src/answers/pages.ts";
import type { ChainSource } from "../src/chain-source.ts";
import { extTransaction, rawTransaction } from "../src/convert/account.ts";
import { localChainSource } from "../src/sources/local-chain.ts";
import { internalMessages, longestHistory } from "./fixtures/chain.ts";

const source = localChainSource(inject("chain"));
afterAll(() => source.close());

const cacheBytes = 2 ** 22;

/** The source, with the number of reads so far. */
function countingSource(changes: Partial<ChainSource> = {}): { source: ChainSource; reads: () => number } {
  let reads = 0;
  const counting: ChainSource = {
    ...source,
    transactions: (...range) => {
      reads++;
      return source.transactions(...range);
    },
    locate: (message) => {
      reads++;
      return source.locate(message);
    },
    ...changes,
  };
  return { source: counting, reads: () => reads };
}

describe("encodeOnce", () => {
  test("encodes once for each object", () => {
    const encodeBlock = encodeOnce<object, "getConsensusBlock">("getConsensusBlock");
    const result = { "@type": "ext.blocks.consensusBlock", consensus_block: 1, timestamp: 2 } as const;
    const block = {};
    const encoded = encodeBlock(block, () => result);
    expect(JSON.parse(String(encoded.json))).toEqual(result);
    const again = encodeBlock(block, () => {
      throw new Error("encoded twice");
    });
    expect(again).toBe(encoded);
    expect(encodeBlock({}, () => result)).not.toBe(encoded);
  });
});

describe("TransactionPages", () => {
  const history = longestHistory();
  const [newest] = history;
  if (newest === undefined) throw new Error("the chain has transactions");
  const query = { limit: 5, aboveLt: 0n, archival: true };

  test("returns a page as JSON, and the same object when it is asked again", async () => {
    const counting = countingSource();
    const pages = new TransactionPages(counting.source, cacheBytes);
    const page = await pages.page(newest.account, query);
    const { transactions, previous_transaction_id } = JSON.parse(String(page.json));
    expect(transactions).toEqual(history.slice(0, 5).map((one) => JSON.parse(JSON.stringify(rawTransaction(one)))));
    expect(previous_transaction_id.lt).toBe(String(history[5]?.id.lt));
    const reads = counting.reads();
    expect(await pages.page(newest.account, query)).toBe(page);
    expect(counting.reads()).toBe(reads);
  });

  test("reads only the transactions that another page did not read", async () => {
    const counting = countingSource();
    const pages = new TransactionPages(counting.source, cacheBytes);
    await pages.page(newest.account, { ...query, limit: 10 });
    const reads = counting.reads();
    await pages.page(newest.account, { ...query, start: history[3]?.id ?? newest.id });
    expect(counting.reads()).toBe(reads);
  });

  test("does not keep a page that the retention cuts short", async () => {
    const pages = new TransactionPages(countingSource({ retainedSince: () => history[2]?.time ?? 0 }).source, cacheBytes);
    const recent = { ...query, archival: false };
    expect(await pages.page(newest.account, recent)).not.toBe(await pages.page(newest.account, recent));
  });
});

describe("LocatedTransactions", () => {
  test("returns a transaction as JSON, and reads it once", async () => {
    const [sent] = internalMessages();
    if (sent === undefined) throw new Error("the chain has messages");
    const counting = countingSource();
    const located = new LocatedTransactions(counting.source, cacheBytes);
    const { json } = await located.find(sent.message, "producer");
    expect(JSON.parse(String(json))).toEqual(JSON.parse(JSON.stringify(extTransaction(sent.sentBy))));
    await located.find(sent.message, "producer");
    expect(counting.reads()).toBe(1);
  });
});
