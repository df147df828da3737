/** Keeps responses that never change. */

import { check, integerRule, type Rule } from "../checks/rules.ts";
import type { Middleware } from "../transport/openapi-fetch.ts";

/**
 * Where responses are kept, as text. A `Map` is one, and so is anything that gets and sets texts, now or later, such as Redis or
 * `caches`. If it fails, the response is read from the service.
 *
 * @example
 * ```ts
 * const store: CacheStore = { get: (key) => redis.get(key), set: (key, response) => redis.set(key, response) };
 * ```
 */
export interface CacheStore {
  /**
   * The response that is kept under a key, if there is one.
   *
   * @example { get: (key) => redis.get(key), set }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  /**
   * Keeps a response.
   *
   * @example { get, set: (key, response) => redis.set(key, response) }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  set(key: string, response: string): unknown;
}

/**
 * Options of `immutableCache`.
 *
 * @example
 * ```ts
 * const options: ImmutableCacheOptions = { maxEntries: 10_000 };
 * ```
 */
export interface ImmutableCacheOptions {
  /**
   * Where responses are kept. By default in memory, the least recently used first to go.
   *
   * @example { store: new Map() }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  store?: CacheStore | undefined;
  /**
   * Responses to keep in memory at most, 1,000 by default. A store of your own has its own bounds.
   *
   * @example { maxEntries: 10_000 }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  maxEntries?: number | undefined;
}

type Members = Record<string, unknown>;

/**
 * Whether a response never changes, by operation: a block by its sequence number, a page of transactions from a cursor, and a transaction
 * that was located. The first function looks at the input, the second at the result, too.
 */
const immutable: Readonly<
  Record<string, { may: (input: Members) => boolean; is: (input: Members, result: Members) => boolean }>
> = {
  // A shard other than the requested one may be an ancestor or a descendant, and there may be several.
  lookupBlock: {
    may: ({ seqno }) => seqno !== undefined,
    is: (input, result) => ["workchain", "shard", "seqno"].every((name) => String(input[name]) === String(result[name])),
  },
  getTransactionsStd: {
    may: ({ lt, hash }) => lt !== undefined && hash !== undefined,
    is: ({ lt }, { transactions }) =>
      Array.isArray(transactions) &&
      transactions.length > 0 &&
      transactions.every(({ transaction_id: id }) => BigInt(id.lt) <= BigInt(String(lt))),
  },
  tryLocateResultTx: { may: isBetweenAccounts, is: hasId },
  tryLocateSourceTx: { may: isBetweenAccounts, is: hasId },
};

/**
 * Creates a middleware that keeps responses that never change, and answers the next identical call without a request: blocks by sequence
 * number, pages of transactions from a cursor, and transactions found by `tryLocateResultTx` and `tryLocateSourceTx`. Everything else,
 * and every failure, is asked each time.
 *
 * A kept response takes no slot of the rate limit, and its `withResponse()` has `attempts: 0` and the `extra` of the original response. Keys
 * begin with the base URL, so that several clients and networks may share a cache. Clear a store when the chain behind a base URL is
 * replaced, as it happens in development.
 *
 * @example
 * ```ts
 * const chain = createClient({ baseUrl, middleware: [immutableCache({ maxEntries: 10_000 })] });
 * ```
 */
export function immutableCache(options: ImmutableCacheOptions = {}): Middleware {
  check("immutableCache", options, {
    store: [isStore, "an object with get and set"],
    maxEntries: integerRule(1),
  } satisfies Record<keyof ImmutableCacheOptions, Rule>);
  const { maxEntries = 1_000, store = memory(maxEntries) } = options;
  /** Calls whose response may be kept, by an object that openapi-fetch creates for each call. */
  const calls = new WeakMap<object, { key: string; operation: string; input: Members }>();
  return {
    async onRequest({ request, schemaPath, options: call }) {
      const operation = schemaPath.replace(/.*\//, "");
      const body = request.method === "POST" ? await request.clone().text() : "";
      const input: Members = body ? JSON.parse(body) : {};
      new URL(request.url).searchParams.forEach((value, name) => {
        input[name] = value;
      });
      if (!Object.hasOwn(immutable, operation) || !immutable[operation]?.may(input)) return undefined;
      const key = `${request.url} ${body}`;
      const text = await attempt(() => store.get(key));
      if (text && (await attempt(() => isFinal(operation, input, text)))) {
        return new Response(text, { headers: { "content-type": "application/json" } });
      }
      calls.set(call, { key, operation, input });
      return undefined;
    },
    async onResponse({ response, options: call }) {
      const asked = calls.get(call);
      if (asked === undefined || response.status !== 200) return;
      const text = await response.clone().text();
      await attempt(() => isFinal(asked.operation, asked.input, text) && store.set(asked.key, text));
    },
  };
}

function isFinal(operation: string, input: Members, text: string): boolean {
  const { ok, result } = JSON.parse(text);
  return ok === true && immutable[operation]?.is(input, result) === true;
}

function isStore(value: unknown): boolean {
  return [Object(value).get, Object(value).set].every((method) => typeof method === "function");
}

function isBetweenAccounts({ source, destination }: Members): boolean {
  return Boolean(source && destination);
}

function hasId(_: Members, { transaction_id: id }: Members): boolean {
  return typeof Object(id).lt === "string";
}

/** A store or a response that fails counts as nothing. */
async function attempt<Value>(run: () => Value): Promise<Awaited<Value> | undefined> {
  try {
    return await run();
  } catch {
    return undefined;
  }
}

/** Keeps the most recently used responses. */
function memory(maxEntries: number): CacheStore {
  const kept = new Map<string, string>();
  const set = (key: string, response: string): void => {
    kept.delete(key);
    kept.set(key, response);
    const [oldest] = kept.keys();
    if (kept.size > maxEntries && oldest !== undefined) kept.delete(oldest);
  };
  return {
    get(key) {
      const response = kept.get(key);
      if (response !== undefined) set(key, response);
      return response;
    },
    set,
  };
}
