/** A client whose results have bigints. */
import type { BigintOf, BigintResults, BigintTransaction } from "@chain-query/types";
import { type QueryPromise, queryPromise } from "./calls/query-promise.ts";
import type { TransactionsInput, TransactionsPage } from "./calls/transactions.ts";
import type { ChainClient } from "./client.ts";
import { ParseError } from "./errors.ts";
import { toBigInt } from "./operations/int64.ts";
import type { Methods } from "./operations/methods.gen.ts";
import { bigintMembers, operations } from "./operations/operations.gen.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import type { RawClient } from "./transport/openapi-fetch.ts";

type Named = Methods<BigintResults>;

/** Mapped, so that editors show a method without the name of its interface. */
type OwnMethods = { readonly [Id in keyof Named]: Named[Id] };

/**
 * A client whose logical times, shards and amounts are bigints. It has the methods of `ChainClient`, with other results.
 *
 * @example
 * ```ts
 * async function worth(chain: BigintClient, address: string): Promise<bigint> {
 *   const { balance } = await chain.getAddressInformation({ address });
 *   return balance;
 * }
 * ```
 */
export interface BigintClient extends OwnMethods {
  /**
   * Iterates over the history of an account, newest first. Cursors keep their strings, so that you can store them as JSON.
   *
   * @example
   * ```ts
   * for await (const tx of chain.transactions({ address, maxItems: 500 })) total += tx.fee;
   * ```
   */
  transactions(input: TransactionsInput, options?: CallOptions): BigintTransactionIterator;
  /** openapi-fetch itself, whose responses are as they are on the wire. Not enumerable, so a spread copy lacks it. */
  readonly raw: RawClient;
  /**
   * Returns the same client with some options changed.
   *
   * @example
   * ```ts
   * const slow = chain.withOptions({ timeoutMs: 120_000 });
   * ```
   */
  withOptions(options: Partial<ClientOptions>): BigintClient;
}

/**
 * Iterates item by item, or page by page with `.pages()`.
 *
 * @example
 * ```ts
 * const history: BigintTransactionIterator = chain.transactions({ address, maxItems: 100 });
 * for await (const { fee } of history) total += fee;
 * ```
 */
export interface BigintTransactionIterator extends AsyncIterable<BigintTransaction> {
  /** Iterates page by page, with the place to continue from. */
  pages(): AsyncIterable<BigintTransactionsPage>;
}

/**
 * One page of a history.
 *
 * @example
 * ```ts
 * const fees = ({ items }: BigintTransactionsPage): bigint => items.reduce((sum, { fee }) => sum + fee, 0n);
 * ```
 */
export interface BigintTransactionsPage extends Omit<TransactionsPage, "items"> {
  /** New transactions only, without those of earlier pages. */
  items: BigintTransaction[];
}

/**
 * Returns a client of the same deployment, with the same limiter, whose results have their logical times, shards and amounts as bigints.
 * Inputs take bigints with any client.
 *
 * A result that has another text in their place rejects with a `ParseError`. `.withResponse()` keeps the envelope as it is on the wire.
 * JSON has no bigints: to store results, keep the client that you passed.
 *
 * @example
 * ```ts
 * const chain = withBigints(createClient({ baseUrl }));
 * const { balance, last_transaction_id } = await chain.getAddressInformation({ address });
 * console.log(balance > 1_000_000_000n, last_transaction_id.lt + 1n);
 * ```
 */
export function withBigints(chain: ChainClient): BigintClient {
  const methods = chain as unknown as Record<string, (...args: unknown[]) => QueryPromise<unknown>>;
  const client: Record<string, unknown> = {
    transactions(...args: Parameters<ChainClient["transactions"]>): BigintTransactionIterator {
      const history = chain.transactions(...args);
      async function* pages(): AsyncGenerator<BigintTransactionsPage> {
        for await (const { items, cursor } of history.pages()) yield { items: decoded("getTransactionsStd", items), cursor };
      }
      return {
        pages,
        async *[Symbol.asyncIterator]() {
          for await (const { items } of pages()) yield* items;
        },
      };
    },
    withOptions: (changed: Partial<ClientOptions>) => withBigints(chain.withOptions(changed)),
  };
  Object.defineProperty(client, "raw", { value: chain.raw });
  for (const operation in operations) {
    client[operation] = (...args: unknown[]) => {
      const call = methods[operation]?.(...args) as QueryPromise<unknown>;
      const decode = (value: unknown) => decoded<unknown>(operation, value);
      return queryPromise(call.then(decode), async (result) => ({ ...(await call.withResponse()), result }));
    };
  }
  return client as unknown as BigintClient;
}

function decoded<Value>(operation: string, value: Value): BigintOf<Value> {
  try {
    return exact(value) as BigintOf<Value>;
  } catch (cause) {
    const why = cause instanceof SyntaxError ? cause.message : "its result is nested too deeply";
    throw new ParseError(`unexpected response: ${why}`, { operation, attempts: 1 }, { status: 200, cause });
  }
}

/** Copies a value of a response, however deep, with its logical times, shards and amounts as bigints. */
function exact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const isWide = typeof member === "string" && (bigintMembers as readonly string[]).includes(name);
    return [name, isWide ? toBigInt(member) : exact(member)];
  });
  return Object.fromEntries(members);
}
