import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startMock } from "@chain-query/mock";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import type { ResultOf } from "@chain-query/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AbortedError, type Cursor, createClient, MASTERCHAIN_SHARD, type TransactionsPage } from "../../src/index.ts";
import { createQueries, type Queries } from "../../src/query.ts";

/** As TanStack Query v5 types them, as far as options go. */
interface QueryFunctionContext<Key extends readonly unknown[], PageParam = never> {
  queryKey: Key;
  signal: AbortSignal;
  pageParam: [PageParam] extends [never] ? unknown : PageParam;
  direction: "forward" | "backward";
  meta: Record<string, unknown> | undefined;
}
interface QueryOptions<Data, Key extends readonly unknown[]> {
  queryKey: Key;
  queryFn?: (context: QueryFunctionContext<Key>) => Data | Promise<Data>;
  staleTime?: number;
}
interface InfiniteQueryOptions<Data, Key extends readonly unknown[], PageParam> {
  queryKey: Key;
  queryFn?: (context: QueryFunctionContext<Key, PageParam>) => Data | Promise<Data>;
  initialPageParam: PageParam;
  getNextPageParam: (last: Data, pages: Data[], lastParam: PageParam, params: PageParam[]) => PageParam | undefined | null;
}

/** Fetches as TanStack does: no page beyond the one that `getNextPageParam` gives nothing for. */
async function fetchQuery<Data, Key extends readonly unknown[]>(options: QueryOptions<Data, Key>, signal?: AbortSignal) {
  const { queryKey, queryFn } = options;
  const context = { queryKey, signal: signal ?? new AbortController().signal, direction: "forward", meta: undefined } as const;
  return queryFn?.({ ...context, pageParam: undefined } as QueryFunctionContext<Key>);
}
async function fetchInfiniteQuery<Data, Key extends readonly unknown[], PageParam>(
  { queryKey, queryFn, initialPageParam, getNextPageParam }: InfiniteQueryOptions<Data, Key, PageParam>,
  most: number,
) {
  const pages: Data[] = [];
  const params: PageParam[] = [];
  const { signal } = new AbortController();
  for (let param: PageParam | null | undefined = initialPageParam; pages.length < most; ) {
    const context = { queryKey, signal, pageParam: param, direction: "forward", meta: undefined };
    const page = (await queryFn?.(context as QueryFunctionContext<Key, PageParam>)) as Data;
    pages.push(page);
    params.push(param);
    param = getNextPageParam(page, pages, param, params);
    if (param === undefined || param === null) break;
  }
  return { pages, params };
}

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
    const named = Object.entries({ ...request?.query, ...request?.body }).map(([name, value]) => [
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]);
    return [operationId, Object.fromEntries(named), response?.body] as const;
  });

  test.for(typical)("makes options for %s, whose function gives the result", async ([operationId, input, body]) => {
    const factories = queries as unknown as Record<string, (...args: object[]) => QueryOptions<unknown, readonly unknown[]>>;
    const options = factories[operationId]?.(...(Object.keys(input).length > 0 ? [input] : []));
    const written = Object.entries(input).map(([name, value]) => [name, typeof value === "number" ? `${value}` : value]);
    expect(options?.queryKey).toEqual(["chain-query", operationId, Object.fromEntries(written)]);
    expect(options && (await fetchQuery(options))).toEqual(body && "result" in body ? body.result : undefined);
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
    ["with an input", (made: Queries, signal: AbortSignal) => fetchQuery(made.getAddressInformation({ address }), signal)],
    ["without an input", (made: Queries, signal: AbortSignal) => fetchQuery(made.getConsensusBlock(), signal)],
    ["of a page", (made: Queries, signal: AbortSignal) => made.transactions({ address }).queryFn({ signal, pageParam: null })],
  ] as const)("ends the request of a query %s where it is cancelled", async ([, fetchBy]) => {
    const cancelled = new AbortController();
    let ended: Promise<unknown> | undefined;
    const server = createServer((request) => {
      ended = new Promise((resolve) => request.socket.once("close", resolve));
      cancelled.abort();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const chain = createClient({ baseUrl, timeoutMs: 5_000, retry: false });
    try {
      await expect(fetchBy(createQueries(chain), cancelled.signal)).rejects.toThrow(AbortedError);
      await ended;
    } finally {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
    }
    expect(ended).toBeDefined();
  });

  test("passes the other options to the call", async () => {
    const headers = { Prefer: "code=429" };
    const options = { headers, maxRetries: 0 };
    await expect(fetchQuery(queries.getConsensusBlock(options))).rejects.toMatchObject({ status: 429, attempts: 1 });
    await expect(
      fetchQuery(queries.getAddressInformation({ address }, { headers: { Prefer: "code=401" } })),
    ).rejects.toMatchObject({ status: 401 });
  });

  test("fits the types of TanStack Query, with the data typed by operation", async () => {
    const head = await fetchQuery({ ...queries.getMasterchainInfo(), staleTime: 1_000 });
    head satisfies ResultOf<"getMasterchainInfo"> | undefined;
    const options = queries.transactions({ address });
    options satisfies InfiniteQueryOptions<TransactionsPage, typeof options.queryKey, Cursor | null>;
    // @ts-expect-error An operation needs its input.
    expect(() => queries.getAddressInformation()).not.toThrow();
    // @ts-expect-error The end of a history is the reader's to choose.
    expect(queries.transactions({ address, maxItems: 1 }).queryKey).toHaveLength(3);
  });
});

describe("transactions", () => {
  /** Serves an inclusive history with these logical times, newest first, in pages of two. */
  async function history(...times: number[]) {
    const asked: (string | null)[] = [];
    const server = createServer((request, response) => {
      const from = new URL(request.url ?? "", "http://localhost").searchParams.get("lt");
      asked.push(from);
      const page = times.filter((lt) => from === null || lt <= Number(from)).slice(0, 2);
      const transactions = page.map((lt) => ({ transaction_id: { lt: String(lt), hash: `hash-${lt}` } }));
      response.setHeader("content-type", "application/json").end(JSON.stringify({ ok: true, result: { transactions } }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
    return { url, asked, [Symbol.asyncDispose]: async () => void (await close()) };
  }
  const times = (pages: TransactionsPage[]) => pages.map(({ items }) => items.map((item) => item.transaction_id.lt));

  test("reads one page at a time, each where the last one ended, to the end", async () => {
    await using server = await history(50, 40, 30, 20);
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    const options = createQueries(chain).transactions({ address, pageSize: 2 });
    expect(options.queryKey).toEqual(["chain-query", "transactions", { address, pageSize: "2" }]);
    const { pages, params } = await fetchInfiniteQuery(options, 10);
    expect(times(pages).flat()).toEqual(["50", "40", "30", "20"]);
    expect(params[0]).toBeNull();
    expect(JSON.parse(JSON.stringify(params))).toEqual(params);
  });

  test("sends one request for one page", async () => {
    await using server = await history(50, 40, 30, 20);
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    const { pages } = await fetchInfiniteQuery(createQueries(chain).transactions({ address }), 1);
    expect(times(pages)).toEqual([["50", "40"]]);
    expect(server.asked).toEqual([null]);
  });

  test("starts at the cursor of the input", async () => {
    await using server = await history(50, 40, 30, 20);
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    const options = createQueries(chain).transactions({ address, cursor: { lt: "40", hash: "hash-40" } });
    expect(times((await fetchInfiniteQuery(options, 10)).pages).flat()).toEqual(["40", "30", "20"]);
  });

  test("gives an empty page for an empty history", async () => {
    await using server = await history();
    const options = createQueries(createClient({ baseUrl: server.url })).transactions({ address });
    expect((await fetchInfiniteQuery(options, 10)).pages).toEqual([{ items: [], cursor: undefined }]);
  });
});
