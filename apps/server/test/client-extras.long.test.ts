/** The helpers of the client against a service whose chain grows. */

import { type ChainClient, createClient, watchTransactions } from "@chain-query/client";
import { until } from "@chain-query/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { busiestOf, copyGrowingChain } from "./fixtures/chain.ts";
import { startService, type TestService, temporaryFolder } from "./fixtures/service.ts";

const newBlocks = 6;
const folder = temporaryFolder();
let service: TestService;
let chain: ChainClient;
/** The accounts with the longest histories, which keep growing. */
let busiest: string[];

beforeAll(async () => {
  const chainFolder = await copyGrowingChain(folder.path);
  busiest = await busiestOf(chainFolder, 5);
  service = await startService({ source: { kind: "chain", folder: chainFolder, produce: true } });
  chain = createClient({ baseUrl: service.url, rateLimit: false });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** The logical times of a history, oldest first, read page by page. */
async function historyOf(address: string): Promise<string[]> {
  const lts: string[] = [];
  for await (const { transaction_id: id } of chain.transactions({ address, pageSize: 500, archival: true })) lts.push(id.lt);
  return lts.reverse();
}

/** Watches transactions, and restarts from its saved cursor after every few. */
async function watchWithRestarts(address: string, lts: string[], signal: AbortSignal): Promise<void> {
  let from: { lt: string; hash: string } | "start" = "start";
  for (;;) {
    let left = 100;
    for await (const { transaction_id: id } of watchTransactions(chain, address, {
      from,
      pageSize: 30,
      intervalMs: 100,
      signal,
    })) {
      lts.push(id.lt);
      from = JSON.parse(JSON.stringify(id));
      if (--left === 0) break;
    }
  }
}

describe("while the chain grows", () => {
  test("each transaction comes once, in order, over restarts", async () => {
    const stop = new AbortController();
    const watched = busiest.map((address) => {
      const lts: string[] = [];
      return { address, lts, ended: watchWithRestarts(address, lts, stop.signal).catch((error: unknown) => error) };
    });
    const { last } = await chain.getMasterchainInfo();
    const before = await Promise.all(watched.map(({ address }) => historyOf(address)));
    await until(async () => (await chain.getMasterchainInfo()).last.seqno >= last.seqno + newBlocks || undefined);
    const after = await Promise.all(watched.map(({ address }) => historyOf(address)));
    expect(after.flat().length).toBeGreaterThan(before.flat().length);
    await until(() => watched.every(({ lts }, index) => lts.length >= (after[index]?.length ?? 0)) || undefined);
    stop.abort();
    expect(watched.map(({ lts }, index) => lts.slice(0, after[index]?.length))).toEqual(after);
    const ends = await Promise.all(watched.map(({ ended }) => ended));
    expect(ends).toEqual(watched.map(() => expect.objectContaining({ code: "ABORTED" })));
  });
});
