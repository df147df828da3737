/** The caches of JSON answers. */
import type { Transaction } from "@chain-query/local-chain";
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

  test("reads equal pages in progress once", async () => {
    const counting = countingSource();
    const pages = new TransactionPages(counting.source, cacheBytes);
    const [one, other] = await Promise.all([pages.page(newest.account, query), pages.page(newest.account, query)]);
    expect(one).toBe(other);
    const alone = countingSource();
    await new TransactionPages(alone.source, cacheBytes).page(newest.account, query);
    // Both look up the newest transaction.
    expect(counting.reads()).toBeLessThanOrEqual(alone.reads() + 1);
  });

  test("does not let a long page push out the transactions of short ones", async () => {
    const counting = countingSource();
    // A third of the cache is for transactions: it holds the page, and not the history.
    const jsonOf = (transactions: readonly Transaction[]) => JSON.stringify(transactions.map(rawTransaction));
    const pages = new TransactionPages(counting.source, 6 * jsonOf(history.slice(0, query.limit)).length);
    await pages.page(newest.account, query);
    await pages.page(newest.account, { ...query, limit: 1000 });
    const reads = counting.reads();
    await pages.page(newest.account, { ...query, limit: 4 });
    expect(counting.reads()).toBe(reads);
  });

  test("reads long pages one after another, in parts with turns of the event loop between them", async () => {
    let inTurn = 0;
    let most = 0;
    const parts: bigint[] = [];
    const transactions: ChainSource["transactions"] = (_, range, limit) => {
      if (inTurn++ === 0) setImmediate(() => (inTurn = 0));
      most = Math.max(most, inTurn);
      expect(limit).toBeLessThanOrEqual(25);
      const lt = range.fromLt ?? 2000n;
      if (limit > 1) parts.push(lt);
      const id = (value: bigint) => ({ ...newest.id, lt: value });
      return Array.from({ length: limit }, (_, index) => {
        return { ...newest, id: id(lt - BigInt(index)), previous: id(lt - BigInt(index) - 1n) };
      });
    };
    const pages = new TransactionPages({ ...source, transactions }, 1);
    const long = [1000, 999, 998].map((limit) => pages.page(newest.account, { ...query, limit }));
    for (const { json } of await Promise.all(long)) expect(json.length).toBeGreaterThan(10_000);
    expect(parts).toEqual([1, 2, 3].flatMap(() => Array.from({ length: 40 }, (_, index) => 1999n - BigInt(index * 25))));
    // Each page looks up its first transaction at once, twice without a cache.
    expect(most).toBeLessThanOrEqual(6);
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
