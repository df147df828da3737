import { describe, expect, test } from "vitest";
import { type CacheStore, type ImmutableCacheOptions, immutableCache } from "../../src/extras.ts";
import { createClient, InvalidArgumentError } from "../../src/index.ts";
import { apiFailure, type FakeResponses, fakeFetch, fixtures, inTurn } from "../../src/testing.ts";
import { failureOf } from "../fault-server.ts";

const block = fixtures.lookupBlock["by-seqno"];
const byBlock = { workchain: block.workchain, shard: block.shard, seqno: block.seqno };
const page = fixtures.getTransactionsStd["next-page"];
const [first] = page.transactions;
const cursor = {
  address: "0:abababababababababababababababababababababababababababababababab",
  lt: first?.transaction_id.lt ?? "",
  hash: first?.transaction_id.hash ?? "",
};
const message = {
  source: "0:abababababababababababababababababababababababababababababababab",
  destination: "0:cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
  createdLt: 5n,
};

function cached(responses: FakeResponses, options?: ImmutableCacheOptions, more: object = {}) {
  const fetch = fakeFetch(responses);
  const cache = immutableCache(options);
  const chain = createClient({
    baseUrl: "http://node.test",
    rateLimit: false,
    retry: false,
    fetch,
    middleware: [cache],
    ...more,
  });
  return { chain, fetch, cache };
}

const usual: FakeResponses = {
  lookupBlock: block,
  getTransactionsStd: page,
  tryLocateResultTx: fixtures.tryLocateResultTx.transfer,
  tryLocateSourceTx: fixtures.tryLocateSourceTx.transfer,
  getMasterchainInfo: fixtures.getMasterchainInfo.head,
  getAddressInformation: fixtures.getAddressInformation.active,
};

describe("immutableCache", () => {
  test("responds to a repeated call without a request if the response never changes", async () => {
    const { chain, fetch } = cached(usual);
    const calls = [
      () => chain.lookupBlock(byBlock),
      () => chain.getTransactionsStd(cursor),
      () => chain.tryLocateResultTx(message),
      () => chain.tryLocateSourceTx(message),
    ];
    for (const call of calls) {
      const before = await call().withResponse();
      const requests = fetch.requests.length;
      const after = await call().withResponse();
      expect(fetch.requests.length).toBe(requests);
      expect(after.result).toEqual(before.result);
      expect([before.attempts, after.attempts, after.response.status]).toEqual([1, 0, 200]);
    }
    expect(fetch.requests).toHaveLength(calls.length);
  });

  test.for<[string, (chain: ReturnType<typeof cached>["chain"]) => Promise<unknown>, FakeResponses]>([
    ["the head", (chain) => chain.getMasterchainInfo(), {}],
    [
      "an account",
      (chain) =>
        chain.getAddressInformation({
          address: "0:abababababababababababababababababababababababababababababababab",
          seqno: 5,
        }),
      {},
    ],
    ["a block by time", (chain) => chain.lookupBlock({ workchain: -1, shard: block.shard, unixtime: 5 }), {}],
    ["a block by logical time", (chain) => chain.lookupBlock({ workchain: -1, shard: block.shard, lt: 5n }), {}],
    ["a block of another shard", (chain) => chain.lookupBlock({ ...byBlock, shard: 5n }), {}],
    [
      "the newest page",
      (chain) => chain.getTransactionsStd({ address: "0:abababababababababababababababababababababababababababababababab" }),
      {},
    ],
    ["an empty page", (chain) => chain.getTransactionsStd(cursor), { getTransactionsStd: { ...page, transactions: [] } }],
    ["a page that begins after its cursor", (chain) => chain.getTransactionsStd({ ...cursor, lt: "5" }), {}],
    ["a 404", (chain) => chain.lookupBlock(byBlock).safe(), { lookupBlock: apiFailure(404) }],
    ["a failure under status 200", (chain) => chain.lookupBlock(byBlock).safe(), { lookupBlock: apiFailure(200) }],
    ["a body that is not JSON", (chain) => chain.lookupBlock(byBlock).safe(), { lookupBlock: new Response("<html>") }],
  ])("asks each time for %s", async ([, call, responses]) => {
    const { chain, fetch } = cached({ ...usual, ...responses });
    await call(chain);
    await call(chain);
    expect(fetch.requests).toHaveLength(2);
  });

  test("keeps a response after a failure, and retries are unchanged", async () => {
    const { chain, fetch } = cached({ lookupBlock: inTurn(apiFailure(503), block) }, {}, { retry: { baseDelayMs: 1 } });
    expect((await chain.lookupBlock(byBlock).withResponse()).attempts).toBe(2);
    expect((await chain.lookupBlock(byBlock).withResponse()).attempts).toBe(0);
    expect(fetch.requests).toHaveLength(2);
  });

  test("takes no slot of the rate limit for a cached response", async () => {
    const { chain } = cached(usual, {}, { rateLimit: { requests: 1, perMs: 3_600_000 } });
    for (let call = 0; call < 3; call++) expect(await chain.lookupBlock(byBlock, { deadlineMs: 60_000 })).toEqual(block);
    expect(await failureOf(chain.getMasterchainInfo({ deadlineMs: 10 }))).toMatchObject({ code: "TIMEOUT" });
  });

  test("serves the walk through a history, `raw` and `withOptions`, too", async () => {
    const { chain, fetch } = cached({
      getTransactionsStd: ({ lt }) => (lt === undefined ? fixtures.getTransactionsStd["first-page"] : page),
    });
    const from = {
      address: "0:abababababababababababababababababababababababababababababababab",
      cursor: { lt: cursor.lt, hash: cursor.hash },
      maxItems: 2,
    };
    for await (const _ of chain.transactions(from));
    const requests = fetch.requests.length;
    for await (const _ of chain.withOptions({ timeoutMs: 5_000 }).transactions(from));
    expect(fetch.requests.length).toBe(requests);
    const query = {
      address: "0:abababababababababababababababababababababababababababababababab",
      lt: cursor.lt,
      hash: cursor.hash,
    };
    const { data } = await chain.raw.GET("/api/v2/getTransactionsStd", { params: { query } });
    expect(data?.result).toEqual(page);
    expect(fetch.requests.length).toBe(requests);
  });

  test("is shared by clients, by base URL, with any key", async () => {
    const { chain, fetch, cache } = cached(usual, {}, { apiKey: "secret" });
    await chain.lookupBlock(byBlock);
    const options = { rateLimit: false, fetch, middleware: [cache] } as const;
    await createClient({ ...options, baseUrl: "http://node.test" }).lookupBlock(byBlock);
    expect(fetch.requests).toHaveLength(1);
    await createClient({ ...options, baseUrl: "http://other.test" }).lookupBlock(byBlock);
    expect(fetch.requests).toHaveLength(2);
  });

  test("forgets the least recently used response", async () => {
    const { chain, fetch } = cached({ lookupBlock: ({ seqno }) => ({ ...block, seqno: Number(seqno) }) }, { maxEntries: 2 });
    const attempts = async (seqno: number) => (await chain.lookupBlock({ ...byBlock, seqno }).withResponse()).attempts;
    const seen: number[] = [];
    for (const seqno of [1, 2, 1, 3, 1, 2]) seen.push(await attempts(seqno));
    expect(seen).toEqual([1, 1, 0, 1, 0, 1]);
    expect(fetch.requests).toHaveLength(4);
  });

  test("takes a Map, or a store that answers later", async () => {
    const kept = new Map<string, string>();
    const later: CacheStore = {
      get: async (key) => kept.get(key) ?? null,
      set: async (key, response) => void kept.set(key, response),
    };
    for (const store of [kept, later]) {
      kept.clear();
      const { chain, fetch } = cached(usual, { store }, { apiKey: "s3cret" });
      await chain.lookupBlock(byBlock);
      await chain.lookupBlock(byBlock);
      expect(fetch.requests).toHaveLength(1);
      expect(JSON.parse([...kept.values()].join())).toMatchObject({ ok: true, result: block });
      expect(JSON.stringify([...kept])).not.toContain("s3cret");
    }
  });

  test.for<[string, CacheStore]>([
    ["throws", { get: () => fail(), set: () => fail() }],
    ["rejects", { get: async () => fail(), set: async () => fail() }],
    ["holds something else", { get: () => '{"ok":true,"result":{"seqno":1}}', set: () => {} }],
    ["holds half a response", { get: () => '{"ok":true,"res', set: () => {} }],
  ])("asks the service where the store %s", async ([, store]) => {
    const { chain, fetch } = cached(usual, { store });
    expect(await chain.lookupBlock(byBlock)).toEqual(block);
    expect(fetch.requests).toHaveLength(1);
  });

  test("rejects wrong options", () => {
    for (const options of [{ maxEntries: 0 }, { store: 5 }, { size: 5 }]) {
      expect(() => immutableCache(options as never)).toThrow(InvalidArgumentError);
    }
  });
});

function fail(): never {
  throw new Error("out of order");
}
