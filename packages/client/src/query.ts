/**
 * Plain options for TanStack Query v5 (React, Vue, Solid, Svelte, Angular). Only types of it are imported, those that mark a key.
 *
 * @example
 * ```ts
 * const queries = createQueries(chain);
 *
 * const head = useQuery(queries.getMasterchainInfo());
 * const account = useQuery({ ...queries.getAddressInformation({ address }), refetchInterval: 10_000 });
 * const history = useInfiniteQuery(queries.transactions({ address, pageSize: 50 }));
 * ```
 *
 * @module
 */

import type { BigintResults, OperationId, ResultOf } from "@chain-query/types";
import type { dataTagErrorSymbol, dataTagSymbol } from "@tanstack/query-core";
import type { Cursor, TransactionsInput, TransactionsPage } from "./calls/transactions.ts";
import type { ChainClient } from "./client.ts";
import type { CallError } from "./errors.ts";
import type { InputOf } from "./operations/input.ts";
import type { Inputs } from "./operations/inputs.gen.ts";
import { operations } from "./operations/operations.gen.ts";
import type { CallOptions } from "./options.ts";
import type { BigintClient, BigintTransactionsPage } from "./with-bigints.ts";

/**
 * The key of a query: `"chain-query"`, the operation, its input, and the scope if given. It is plain JSON, with every number as
 * decimal digits, so that `5`, `5n` and `"5"` are one query. A shorter key matches all keys that begin with it.
 *
 * @example
 * ```ts
 * const everything = ["chain-query"];
 * queryClient.invalidateQueries({ queryKey: everything });
 * ```
 */
export type QueryKey<Name extends string> = readonly ["chain-query", Name, Readonly<Record<string, unknown>>, ...string[]];

/**
 * A key that tells TanStack the type of its data, so that `getQueryData` and `setQueryData` are typed.
 *
 * @example
 * ```ts
 * const key: TypedKey<"getMasterchainInfo", MasterchainInfo> = queries.getMasterchainInfo().queryKey;
 * const last = queryClient.getQueryData(key)?.last;
 * ```
 */
export type TypedKey<Name extends string, Data> = QueryKey<Name> & {
  readonly [dataTagSymbol]: Data;
  readonly [dataTagErrorSymbol]: CallError;
};

/** Members that are never set: TanStack infers the type of `error` from the first, and of suspense queries from the second. */
interface ErrorType {
  readonly throwOnError?: (error: CallError) => boolean;
  readonly retryDelay?: (failureCount: number, error: CallError) => number;
}

/**
 * Options for `useQuery`. TanStack's signal aborts the request when the last observer of a query is gone.
 *
 * @example
 * ```ts
 * const head: Query<"getMasterchainInfo"> = queries.getMasterchainInfo();
 * const { last } = await queryClient.fetchQuery(head);
 * ```
 */
export interface Query<Id extends OperationId, Result = ResultOf<Id>> extends ErrorType {
  readonly queryKey: TypedKey<Id, Result>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Result>;
  /** The client retries by itself: more retries by TanStack would multiply them. */
  readonly retry: false;
}

/**
 * Options for `useInfiniteQuery`: pages of a history, newest first.
 *
 * @example
 * ```ts
 * const history: TransactionsQuery = queries.transactions({ address, pageSize: 50 });
 * const { data, fetchNextPage, hasNextPage } = useInfiniteQuery(history);
 * ```
 */
export interface TransactionsQuery<Page = TransactionsPage> extends ErrorType {
  readonly queryKey: TypedKey<"transactions", { pages: Page[]; pageParams: (Cursor | null)[] }>;
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: Cursor | null }) => Promise<Page>;
  readonly initialPageParam: Cursor | null;
  readonly getNextPageParam: (lastPage: Page) => Cursor | undefined;
  /** The client retries by itself: more retries by TanStack would multiply them. */
  readonly retry: false;
}

/**
 * Options of the calls of a query, without the signal, which is TanStack's. They are not part of the key.
 *
 * @example
 * ```ts
 * const options: QueryCallOptions = { timeoutMs: 5_000, maxRetries: 0 };
 * useQuery(queries.getAddressInformation({ address }, options));
 * ```
 */
export type QueryCallOptions = Omit<CallOptions, "signal">;

/**
 * The factory of an operation: its input, if it takes any, then options of the call.
 *
 * @example
 * ```ts
 * const accountQuery: QueryFactory<"getAddressInformation"> = queries.getAddressInformation;
 * useQuery(accountQuery({ address }));
 * ```
 */
export type QueryFactory<Id extends OperationId, Result = ResultOf<Id>> =
  InputOf<Id> extends Record<string, never>
    ? (options?: QueryCallOptions) => Query<Id, Result>
    : (input: InputOf<Id>, options?: QueryCallOptions) => Query<Id, Result>;

/**
 * One factory for each operation of the contract, named by its operationId, and one for the history of an account.
 *
 * @example
 * ```ts
 * const preload = (queries: Queries) => queryClient.prefetchQuery(queries.getMasterchainInfo());
 * ```
 */
export type Queries = QueriesOf<{ [Id in OperationId]: ResultOf<Id> }, TransactionsPage>;

/**
 * The factories of a client of `withBigints`. TanStack's caches may hold bigints, but JSON may not, so that `dehydrate` and persisters
 * need a serialiser that writes them.
 *
 * @example
 * ```ts
 * const queries: BigintQueries = createQueries(withBigints(chain));
 * const { data } = useQuery(queries.getAddressInformation({ address })); // data.balance is a bigint
 * ```
 */
export type BigintQueries = QueriesOf<BigintResults, BigintTransactionsPage>;

type QueriesOf<Results extends Record<OperationId, unknown>, Page> = {
  readonly [Id in keyof Inputs]: QueryFactory<Id, Results[Id]>;
} & {
  /** Pages of a history. Each page has the cursor of the next; the query ends with the history. */
  transactions(input: QueryTransactionsInput, options?: QueryCallOptions): TransactionsQuery<Page>;
  /** Keys that select queries, such as to invalidate them. */
  readonly keys: QueryKeys;
};

type QueryTransactionsInput = Omit<TransactionsInput, "maxItems">;

/**
 * One key for each operation and for `transactions`. It selects the queries of this scope whose input has the given members; without
 * an input, all queries of the operation.
 *
 * @example
 * ```ts
 * await queryClient.invalidateQueries({ queryKey: queries.keys.getAddressInformation({ address }) });
 * await queryClient.cancelQueries({ queryKey: queries.keys.transactions() });
 * ```
 */
export type QueryKeys = { readonly [Id in OperationId]: (input?: Partial<InputOf<Id>>) => QueryKey<Id> } & {
  readonly transactions: (input?: Partial<QueryTransactionsInput>) => QueryKey<"transactions">;
};

/**
 * Creates the factories of a client. A `scope` separates the responses of several clients in one cache, such as those of two networks.
 *
 * The options have `retry: false`, because the client retries by itself.
 *
 * @example
 * ```ts
 * const queries = createQueries(chain, { scope: "testnet" });
 * queries.lookupBlock({ workchain: -1, shard: MASTERCHAIN_SHARD, lt: 433_000_001n }).queryKey;
 * // ["chain-query", "lookupBlock", { workchain: "-1", shard: "-9223372036854775808", lt: "433000001" }, "testnet"]
 * ```
 */
export function createQueries(chain: ChainClient, options?: { scope?: string | undefined }): Queries;
export function createQueries(chain: BigintClient, options?: { scope?: string | undefined }): BigintQueries;
export function createQueries(
  chain: ChainClient | BigintClient,
  { scope }: { scope?: string | undefined } = {},
): Queries | BigintQueries {
  const keyOf = (name: string, input: object) => ["chain-query", name, toJson(input), ...(scope === undefined ? [] : [scope])];
  const methods = chain as unknown as Record<string, (...args: object[]) => Promise<unknown>>;
  const retry = false;

  const keys: Record<string, unknown> = { transactions: (input: object = {}) => keyOf("transactions", input) };
  const queries: Record<string, unknown> = {
    keys,
    transactions: (input: TransactionsInput, options?: QueryCallOptions) => ({
      queryKey: keyOf("transactions", input),
      queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: Cursor | null }) =>
        firstPage<unknown>(chain.transactions({ ...input, cursor: pageParam ?? undefined }, { ...options, signal }).pages()),
      initialPageParam: input.cursor ?? null,
      getNextPageParam: ({ cursor }: TransactionsPage) => cursor,
      retry,
    }),
  };
  for (const [operation, { members }] of Object.entries(operations)) {
    const takesInput = Object.keys(members).length > 0;
    keys[operation] = (input: object = {}) => keyOf(operation, input);
    queries[operation] = (...args: [object?, object?]) => {
      const input = takesInput ? [args[0] ?? {}] : [];
      const options = args[input.length];
      return {
        queryKey: keyOf(operation, input[0] ?? {}),
        queryFn: ({ signal }: { signal: AbortSignal }) => methods[operation]?.(...input, { ...options, signal }),
        retry,
      };
    };
  }
  return queries as Queries;
}

/** An empty history has no page, but a query must resolve to one. */
async function firstPage<Page>(pages: AsyncIterable<Page>): Promise<Page | TransactionsPage> {
  for await (const page of pages) return page;
  return { items: [], cursor: undefined };
}

/** Writes numbers and bigints as strings: JSON has no bigint, and numbers above 2^53 lose digits. */
function toJson(input: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(input, (_, value: unknown) =>
      typeof value === "bigint" || typeof value === "number" ? String(value) : value,
    ),
  );
}
