/**
 * Plain options for TanStack Query v5 (React, Vue, Solid, Svelte, Angular), which this package does not import.
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
import type { OperationId, ResultOf } from "@chain-query/types";
import type { Cursor, TransactionsPage, WalkInput } from "./calls/transactions.ts";
import type { ChainClient } from "./client.ts";
import type { InputOf } from "./operations/input.ts";
import { operations } from "./operations/operations.gen.ts";
import type { CallOptions } from "./options.ts";

/**
 * The key of a query: `"chain-query"`, the operation, its input, and the scope if given. It is plain JSON, with every number as
 * decimal digits, so that `5`, `5n` and `"5"` are one query. A shorter key matches all keys that begin with it.
 *
 * @example
 * ```ts
 * queryClient.invalidateQueries({ queryKey: ["chain-query", "getAddressInformation"] });
 * ```
 */
export type QueryKey<Name extends string> = readonly ["chain-query", Name, Readonly<Record<string, unknown>>, ...string[]];

/**
 * Options for `useQuery`. TanStack's signal aborts the request when the last observer of a query is gone.
 *
 * @example
 * ```ts
 * const head: Query<"getMasterchainInfo"> = queries.getMasterchainInfo();
 * const { last } = await queryClient.fetchQuery(head);
 * ```
 */
export interface Query<Id extends OperationId> {
  readonly queryKey: QueryKey<Id>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<ResultOf<Id>>;
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
export interface TransactionsQuery {
  readonly queryKey: QueryKey<"transactions">;
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: Cursor | null }) => Promise<TransactionsPage>;
  readonly initialPageParam: Cursor | null;
  readonly getNextPageParam: (lastPage: TransactionsPage) => Cursor | undefined;
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
export type QueryFactory<Id extends OperationId> = keyof (typeof operations)[Id]["members"] extends never
  ? (options?: QueryCallOptions) => Query<Id>
  : (input: InputOf<Id>, options?: QueryCallOptions) => Query<Id>;

/**
 * One factory for each operation of the contract, named by its operationId, and one for the history of an account.
 *
 * @example
 * ```ts
 * const preload = (queries: Queries) => queryClient.prefetchQuery(queries.getMasterchainInfo());
 * ```
 */
export type Queries = { readonly [Id in OperationId]: QueryFactory<Id> } & {
  /** Pages of a history. Each page has the cursor of the next; the query ends with the history. */
  transactions(input: Omit<WalkInput, "maxItems">, options?: QueryCallOptions): TransactionsQuery;
};

/**
 * Creates the factories of a client. A `scope` separates the answers of several clients in one cache, such as those of two networks.
 *
 * The client retries by itself: set `retry: false` in TanStack's options, or the retries multiply.
 *
 * @example
 * ```ts
 * const queries = createQueries(chain, { scope: "testnet" });
 * queries.lookupBlock({ workchain: -1, shard: MASTERCHAIN_SHARD, lt: 433_000_001n }).queryKey;
 * // ["chain-query", "lookupBlock", { workchain: "-1", shard: "-9223372036854775808", lt: "433000001" }, "testnet"]
 * ```
 */
export function createQueries(chain: ChainClient, { scope }: { scope?: string | undefined } = {}): Queries {
  const keyOf = <Name extends string>(name: Name, input: object): QueryKey<Name> => [
    "chain-query",
    name,
    toJson(input),
    ...(scope === undefined ? [] : [scope]),
  ];
  const methods = chain as unknown as Record<string, (...args: object[]) => Promise<unknown>>;

  const queries: Record<string, unknown> = {
    transactions: (input: WalkInput, options?: QueryCallOptions): TransactionsQuery => ({
      queryKey: keyOf("transactions", input),
      queryFn: ({ signal, pageParam }) =>
        firstPage(chain.transactions({ ...input, cursor: pageParam ?? undefined }, { ...options, signal }).pages()),
      initialPageParam: input.cursor ?? null,
      getNextPageParam: ({ cursor }) => cursor,
    }),
  };
  for (const [operation, { members }] of Object.entries(operations)) {
    const takesInput = Object.keys(members).length > 0;
    queries[operation] = (...args: [object?, object?]) => {
      const input = takesInput ? [args[0] ?? {}] : [];
      const options = args[input.length];
      return {
        queryKey: keyOf(operation, input[0] ?? {}),
        queryFn: ({ signal }: { signal: AbortSignal }) => methods[operation]?.(...input, { ...options, signal }),
      };
    };
  }
  return queries as Queries;
}

/** An empty history has no page, but a query must resolve to one. */
async function firstPage(pages: AsyncIterable<TransactionsPage>): Promise<TransactionsPage> {
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
