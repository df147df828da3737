/** The caches of results as JSON. */

import { ChainReadError, type ChainReader, type ChainTransaction } from "@chain-query/format/store";
import { openChain } from "@chain-query/local-chain/reader";
import { extTransaction, rawTransaction } from "@chain-query/proof/values";
import { afterAll, describe, expect, test } from "vitest";
import { encodeOnce } from "../src/answer-cache/encoded.ts";
import { LocatedTransactions } from "../src/answer-cache/located.ts";
import { TransactionPages } from "../src/answer-cache/transaction-pages.ts";
import { RequestHead } from "../src/request-head.ts";
import { internalMessages, longestHistory, testChain } from "./fixtures/chain.ts";

const source: ChainReader = openChain(testChain);
afterAll(() => source.close());

const cacheBytes = 2 ** 22;
/** The head of a request. */
const asOf = () => new RequestHead(source, new AbortController().signal);

/** The source, with the number of reads so far. */
function countingSource(changes: Partial<ChainReader> = {}): { source: ChainReader; reads: () => number } {
  let reads = 0;
  const counting: ChainReader = {
    ...source,
    history: (...range) => {
      reads++;
      return source.history(...range);
    },
    findSender: (...message) => {
      reads++;
      return source.findSender(...message);
    },
    ...changes,
  };
  return { source: counting, reads: () => reads };
}

test("encodeOnce encodes once for each object", () => {
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

describe("TransactionPages", () => {
  const history = longestHistory();
  const [newest] = history;
  if (newest === undefined) throw new Error("the chain has transactions");
  const query = { limit: 5, aboveLt: 0n, archival: true };

  test("returns a page as JSON, and the same object when it is asked again", async () => {
    const counting = countingSource();
    const pages = new TransactionPages(counting.source, cacheBytes);
    const page = await pages.page(newest.account, query, asOf());
    const { transactions, previous_transaction_id } = JSON.parse(String(page.json));
    expect(transactions).toEqual(history.slice(0, 5).map((one) => JSON.parse(JSON.stringify(rawTransaction(one)))));
    expect(previous_transaction_id.lt).toBe(String(history[5]?.id.lt));
    const reads = counting.reads();
    expect(await pages.page(newest.account, query, asOf())).toBe(page);
    expect(counting.reads()).toBe(reads);
  });

  test("reads only the transactions that another page did not read", async () => {
    const counting = countingSource();
    const pages = new TransactionPages(counting.source, cacheBytes);
    await pages.page(newest.account, { ...query, limit: 10 }, asOf());
    const reads = counting.reads();
    await pages.page(newest.account, { ...query, start: history[3]?.id ?? newest.id }, asOf());
    expect(counting.reads()).toBe(reads);
  });

  test("reads equal pages in progress once", async () => {
    const counting = countingSource();
    const pages = new TransactionPages(counting.source, cacheBytes);
    const [one, other] = await Promise.all([
      pages.page(newest.account, query, asOf()),
      pages.page(newest.account, query, asOf()),
    ]);
    expect(one).toBe(other);
    const alone = countingSource();
    await new TransactionPages(alone.source, cacheBytes).page(newest.account, query, asOf());
    expect(counting.reads()).toBe(alone.reads());
  });

  test("does not let a long page push out the transactions of short ones", async () => {
    const counting = countingSource();
    // A third of the cache is for transactions: it holds the page, and not the history.
    const jsonOf = (transactions: readonly ChainTransaction[]) => JSON.stringify(transactions.map(rawTransaction));
    const pages = new TransactionPages(counting.source, 6 * jsonOf(history.slice(0, query.limit)).length);
    await pages.page(newest.account, query, asOf());
    await pages.page(newest.account, { ...query, limit: 1000 }, asOf());
    const reads = counting.reads();
    await pages.page(newest.account, { ...query, limit: 4 }, asOf());
    expect(counting.reads()).toBe(reads);
  });

  test("reads long pages one after another, in parts with ticks of the event loop between them", async () => {
    let inThisTick = 0;
    let most = 0;
    const parts: bigint[] = [];
    const readPart: ChainReader["history"] = (_, range, limit) => {
      if (inThisTick++ === 0) setImmediate(() => (inThisTick = 0));
      most = Math.max(most, inThisTick);
      expect(limit).toBeLessThanOrEqual(16);
      const { lt } = range.from;
      parts.push(lt);
      const id = (value: bigint) => ({ ...newest.id, lt: value });
      return Array.from({ length: limit }, (_, index) => {
        return { ...newest, id: id(lt - BigInt(index)), previous: id(lt - BigInt(index) - 1n) };
      });
    };
    const pages = new TransactionPages({ ...source, history: readPart }, 1);
    const start = { ...newest.id, lt: 2000n };
    const long = [1000, 999, 998].map((limit) => pages.page(newest.account, { ...query, start, limit }, asOf()));
    for (const { json } of await Promise.all(long)) expect(json.length).toBeGreaterThan(10_000);
    // Each page from its start to its end, before the next one.
    expect(parts.filter((lt) => lt === 2000n)).toHaveLength(3);
    expect(parts.filter((lt, index) => lt > (parts[index - 1] ?? lt))).toEqual([2000n, 2000n]);
    // The last part of a page, and the first two of the next one.
    expect(most).toBeLessThanOrEqual(3);
  });

  test("ends a page where the source has no older history, and refuses a start that is older", async () => {
    const begin = history[19]?.id.lt ?? 0n;
    const readPart: ChainReader["history"] = async (account, range, limit, at, ended) => {
      if (range.from.lt < begin) throw new ChainReadError("archival", "too old");
      return (await source.history(account, range, limit, at, ended)).filter(({ id }) => id.lt >= begin);
    };
    const pages = new TransactionPages({ ...source, history: readPart }, cacheBytes);
    const { json } = await pages.page(newest.account, { ...query, limit: 100 }, asOf());
    const { transactions: found, previous_transaction_id } = JSON.parse(String(json));
    expect([found.length, previous_transaction_id.lt]).toEqual([20, String(history[20]?.id.lt)]);
    const start = history[20]?.id ?? newest.id;
    await expect(pages.page(newest.account, { ...query, start }, asOf())).rejects.toThrow("too old");
  });

  test("does not keep a page that the retention cuts short", async () => {
    const pages = new TransactionPages(countingSource({ retainedSince: () => history[2]?.time ?? 0 }).source, cacheBytes);
    const recent = { ...query, archival: false };
    expect(await pages.page(newest.account, recent, asOf())).not.toBe(await pages.page(newest.account, recent, asOf()));
  });
});

test("LocatedTransactions returns a transaction as JSON, and reads it once", async () => {
  const [sent] = internalMessages();
  if (sent === undefined) throw new Error("the chain has messages");
  const counting = countingSource();
  const located = new LocatedTransactions(counting.source, cacheBytes);
  const { json } = await located.find(sent.message, "sender", asOf());
  expect(JSON.parse(String(json))).toEqual(JSON.parse(JSON.stringify(extTransaction(sent.sentBy))));
  await located.find(sent.message, "sender", asOf());
  expect(counting.reads()).toBe(1);
});
