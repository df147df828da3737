import { startMock } from "@chain-query/mock";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { type InfiniteData, InfiniteQueryObserver, QueryClient, QueryObserver } from "@tanstack/query-core";
import type * as hooks from "@tanstack/react-query";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import {
  AbortedError,
  type BigintFullAccountState,
  type BigintTransactionsPage,
  type CallError,
  type Cursor,
  createClient,
  type FullAccountState,
  MASTERCHAIN_SHARD,
  type MasterchainInfo,
  type TransactionsPage,
  withBigints,
} from "../../src/index.ts";
import { createQueries, type Queries } from "../../src/query.ts";
import { documentedInput, json, startFaultServer } from "../fault-server.ts";
import { hashOf } from "../growing-account.ts";

/** A cache of its own for each use. */
const cache = () => new QueryClient();

const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
let mock: Awaited<ReturnType<typeof startMock>>;
let queries: Queries;

beforeAll(async () => {
  mock = await startMock();
  queries = createQueries(createClient({ baseUrl: mock.url, rateLimit: false }));
});
afterAll(() => mock.close());

describe("createQueries", () => {
  const typical = [...new Set(examples.map(({ operationId }) => operationId))].map((operationId) => {
    const { request, response } = examples.find((each) => each.operationId === operationId) ?? {};
    return [operationId, documentedInput(request), response?.body] as const;
  });

  test.for(typical)("makes options for %s, whose function gives the result", async ([operationId, input, body]) => {
    const factories = queries as unknown as Record<string, (...args: object[]) => { queryKey: readonly unknown[] }>;
    const options = factories[operationId]?.(...(Object.keys(input).length > 0 ? [input] : []));
    const written = Object.entries(input).map(([name, value]) => [name, typeof value === "number" ? `${value}` : value]);
    expect(options?.queryKey).toEqual(["chain-query", operationId, Object.fromEntries(written)]);
    expect(options && (await cache().fetchQuery(options))).toEqual(body && "result" in body ? body.result : undefined);
  });

  test("gives equal inputs one JSON key, in any spelling", () => {
    const by = (lt: bigint | number | string) => queries.lookupBlock({ workchain: -1, shard: MASTERCHAIN_SHARD, lt }).queryKey;
    expect(by(5n)).toEqual(["chain-query", "lookupBlock", { workchain: "-1", shard: MASTERCHAIN_SHARD, lt: "5" }]);
    expect(by(5)).toEqual(by(5n));
    expect(by("5")).toEqual(by(5n));
    expect(by(6n)).not.toEqual(by(5n));
    expect(JSON.parse(JSON.stringify(by(2n ** 62n)))).toEqual(by(2n ** 62n));
  });

  test("distinguishes clients by their scope", () => {
    const scoped = createQueries(createClient({ baseUrl: mock.url }), { scope: "testnet" });
    expect(scoped.getConsensusBlock().queryKey).toEqual(["chain-query", "getConsensusBlock", {}, "testnet"]);
    expect(scoped.transactions({ address }).queryKey).toEqual(["chain-query", "transactions", { address }, "testnet"]);
  });

  test.for([
    ["with an input", (made: Queries, signal: AbortSignal) => made.getAddressInformation({ address }).queryFn({ signal })],
    ["without an input", (made: Queries, signal: AbortSignal) => made.getConsensusBlock().queryFn({ signal })],
    ["of a page", (made: Queries, signal: AbortSignal) => made.transactions({ address }).queryFn({ signal, pageParam: null })],
  ] as const)("ends the request of a query %s where it is cancelled", async ([, fetchBy]) => {
    const cancelled = new AbortController();
    await using server = await startFaultServer(() => cancelled.abort());
    const chain = createClient({ baseUrl: server.url, timeoutMs: 60_000, retry: false });
    await expect(fetchBy(createQueries(chain), cancelled.signal)).rejects.toThrow(AbortedError);
    await expect.poll(() => server.cutOff).toBe(1);
  });

  test("passes the other options to the call", async () => {
    const failing = (code: number) => ({ headers: { Prefer: `code=${code}` }, maxRetries: 0 });
    const head = cache().fetchQuery(queries.getConsensusBlock(failing(429)));
    await expect(head).rejects.toMatchObject({ status: 429, attempts: 1 });
    const account = cache().fetchQuery(queries.getAddressInformation({ address }, failing(401)));
    await expect(account).rejects.toMatchObject({ status: 401 });
  });

  test("rejects a missing input and an end of the history at compile time", () => {
    // @ts-expect-error An operation needs its input.
    expect(() => queries.getAddressInformation()).not.toThrow();
    // @ts-expect-error The end of a history is the reader's to choose.
    expect(queries.transactions({ address, maxItems: 1 }).queryKey).toHaveLength(3);
  });

  test("types the value of a cache by its key", async () => {
    const client = cache();
    const head = await client.fetchQuery({ ...queries.getMasterchainInfo(), staleTime: 1_000 });
    expectTypeOf(head).toEqualTypeOf<MasterchainInfo>();
    const cached = client.getQueryData(queries.getMasterchainInfo().queryKey);
    expectTypeOf(cached).toEqualTypeOf<MasterchainInfo | undefined>();
    expect(cached?.last.seqno).toBe(head.last.seqno);
    const { queryKey } = queries.getAddressInformation({ address });
    expectTypeOf(client.getQueryState(queryKey)?.error).toEqualTypeOf<CallError | null | undefined>();
    client.setQueryData(queryKey, (account) => {
      expectTypeOf(account).toEqualTypeOf<FullAccountState | undefined>();
      return account;
    });
    const pages = client.getQueryData(queries.transactions({ address }).queryKey);
    expectTypeOf(pages).toEqualTypeOf<InfiniteData<TransactionsPage, Cursor | null> | undefined>();
  });

  test("types the error of every hook", () => {
    const head = queries.getMasterchainInfo();
    const account = queries.getAddressInformation({ address });
    const history = queries.transactions({ address });
    type Expected = CallError | null;
    // Compiled only: the hooks need a renderer.
    const used = ({ useQuery, useSuspenseQuery, useInfiniteQuery, ...more }: typeof hooks) => {
      expectTypeOf(useQuery(head).error).toEqualTypeOf<Expected>();
      expectTypeOf(useQuery(head).data).toEqualTypeOf<MasterchainInfo | undefined>();
      expectTypeOf(useQuery({ ...account, staleTime: 1_000 }).error).toEqualTypeOf<Expected>();
      expectTypeOf(useQuery({ ...account, select: ({ balance }) => balance }).error).toEqualTypeOf<Expected>();
      expectTypeOf(useQuery({ ...account, throwOnError: ({ code }) => code === "SERVER" }).error).toEqualTypeOf<Expected>();
      expectTypeOf(useQuery(more.queryOptions(account)).error).toEqualTypeOf<Expected>();
      expectTypeOf(useSuspenseQuery(account).error).toEqualTypeOf<Expected>();
      expectTypeOf(useSuspenseQuery(account).data).toEqualTypeOf<FullAccountState>();
      expectTypeOf(useInfiniteQuery(history).error).toEqualTypeOf<Expected>();
      expectTypeOf(useInfiniteQuery(history).data?.pages).toEqualTypeOf<TransactionsPage[] | undefined>();
      expectTypeOf(more.useSuspenseInfiniteQuery(history).error).toEqualTypeOf<Expected>();
      const several = { queries: [head, account] } as const;
      expectTypeOf(more.useQueries(several)[1].error).toEqualTypeOf<Expected>();
      expectTypeOf(more.useSuspenseQueries(several)[1].error).toEqualTypeOf<Expected>();
      more.usePrefetchQuery(head);
      more.usePrefetchInfiniteQuery(history);
    };
    expect(used).toBeTypeOf("function");
    const client = cache();
    expectTypeOf(new QueryObserver(client, head).getCurrentResult().error).toEqualTypeOf<Expected>();
    expectTypeOf(new InfiniteQueryObserver(client, history).getCurrentResult().error).toEqualTypeOf<Expected>();
    // The members that carry the type have no value.
    expect(Object.keys(account)).toEqual(["queryKey", "queryFn", "retry"]);
  });

  test("of a client with bigints gives bigints, with their types", async () => {
    const exact = createQueries(withBigints(createClient({ baseUrl: mock.url, rateLimit: false })));
    const [account, history] = [exact.getAddressInformation({ address }), exact.transactions({ address })];
    const client = cache();
    const { balance } = await client.fetchQuery(account);
    expect(balance).toBe(7_491_880_250n);
    expectTypeOf(client.getQueryData(account.queryKey)).toEqualTypeOf<BigintFullAccountState | undefined>();
    const { pages } = await client.fetchInfiniteQuery(history);
    expect(pages[0]?.items[0]?.fee).toBe(40_863n);
    expectTypeOf(pages).toEqualTypeOf<BigintTransactionsPage[]>();
    const used = ({ useQuery, useSuspenseQuery, useInfiniteQuery }: typeof hooks) => {
      expectTypeOf(useQuery(account).data).toEqualTypeOf<BigintFullAccountState | undefined>();
      expectTypeOf(useSuspenseQuery(account).error).toEqualTypeOf<CallError | null>();
      expectTypeOf(useInfiniteQuery(history).data?.pages).toEqualTypeOf<BigintTransactionsPage[] | undefined>();
    };
    expect(used).toBeTypeOf("function");
  });

  test("leaves retries to the client", async () => {
    const client = cache();
    const observer = new QueryObserver(client, queries.getConsensusBlock({ headers: { Prefer: "code=504" }, maxRetries: 0 }));
    const failed = new Promise((resolve) => {
      observer.subscribe(({ isError, error }) => isError && resolve(error));
    });
    expect(await failed).toMatchObject({ status: 504 });
    observer.destroy();
    expect(client.getQueryState(queries.getConsensusBlock().queryKey)?.fetchFailureCount).toBe(1);
    expect(queries.transactions({ address }).retry).toBe(false);
  });
});

describe("keys", () => {
  const other = "0:0000000000000000000000000000000000000000000000000000000000000000";

  test("select the queries of an operation, of an input and of a scope", () => {
    const client = cache();
    const testnet = createQueries(createClient({ baseUrl: mock.url }), { scope: "testnet" });
    const made = [
      queries.getAddressInformation({ address }),
      queries.getAddressInformation({ address, seqno: 13 }),
      queries.getAddressInformation({ address: other }),
      testnet.getAddressInformation({ address }),
      queries.getConsensusBlock(),
      queries.transactions({ address }),
    ];
    for (const { queryKey } of made) client.setQueryData<unknown>(queryKey, {});
    const selected = (queryKey: readonly unknown[]) => client.getQueryCache().findAll({ queryKey }).length;
    expect(selected(queries.keys.getAddressInformation())).toBe(4);
    expect(selected(queries.keys.getAddressInformation({ address }))).toBe(3);
    expect(selected(queries.keys.getAddressInformation({ seqno: 13n }))).toBe(1);
    expect(selected(testnet.keys.getAddressInformation())).toBe(1);
    expect(selected(queries.keys.getConsensusBlock())).toBe(1);
    expect(selected(queries.keys.transactions({ address }))).toBe(1);
    expect(selected(queries.keys.lookupBlock())).toBe(0);
    // @ts-expect-error There is no such member.
    expect(selected(queries.keys.getAddressInformation({ adress: other }))).toBe(0);
  });
});

describe("transactions", () => {
  /** Serves an inclusive history with these logical times, newest first, in pages of two. */
  const history = async (...times: number[]) => {
    const server = await startFaultServer((response, request) => {
      const from = new URL(request.url ?? "", "http://localhost").searchParams.get("lt");
      const page = times.filter((lt) => from === null || lt <= Number(from)).slice(0, 2);
      const transactions = page.map((lt) => ({ transaction_id: { lt: String(lt), hash: hashOf(String(lt)) } }));
      json(200, { ok: true, result: { transactions } })(response, request);
    });
    return Object.assign(server, { queries: createQueries(createClient({ baseUrl: server.url, rateLimit: false })) });
  };
  const times = (pages: TransactionsPage[]) => pages.map(({ items }) => items.map((item) => item.transaction_id.lt));

  test("reads one page at a time, each from the end of the last one, to the end", async () => {
    await using server = await history(50, 40, 30, 20);
    const options = server.queries.transactions({ address, pageSize: 2 });
    expect(options.queryKey).toEqual(["chain-query", "transactions", { address, pageSize: "2" }]);
    const { pages, pageParams } = await cache().fetchInfiniteQuery({ ...options, pages: 10 });
    expect(times(pages).flat()).toEqual(["50", "40", "30", "20"]);
    expect(pageParams[0]).toBeNull();
    expect(JSON.parse(JSON.stringify(pageParams))).toEqual(pageParams);
  });

  test("sends one request for one page", async () => {
    await using server = await history(50, 40, 30, 20);
    const { pages } = await cache().fetchInfiniteQuery(server.queries.transactions({ address }));
    expect(times(pages)).toEqual([["50", "40"]]);
    expect(server.seen.map(({ url }) => url)).toEqual([expect.not.stringContaining("lt=")]);
  });

  test("starts at the cursor of the input", async () => {
    await using server = await history(50, 40, 30, 20);
    const options = server.queries.transactions({ address, cursor: { lt: "40", hash: hashOf("40") } });
    expect(times((await cache().fetchInfiniteQuery({ ...options, pages: 10 })).pages).flat()).toEqual(["40", "30", "20"]);
  });

  test("gives an empty page for an empty history", async () => {
    await using server = await history();
    const options = server.queries.transactions({ address });
    expect((await cache().fetchInfiniteQuery({ ...options, pages: 10 })).pages).toEqual([{ items: [], cursor: undefined }]);
  });
});
