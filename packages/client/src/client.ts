import type { EnvelopeOf, OperationId, ResultOf } from "@chain-query/types";
import { check, refuse } from "./check.ts";
import { openEnvelope } from "./envelope.ts";
import { emitter, loggingHooks } from "./hooks.ts";
import { createRawClient, type RawClient } from "./http.ts";
import { type InputOf, type Operation, toWire } from "./input.ts";
import { createLimiter, type Limiter } from "./limiter.ts";
import { operations } from "./operations.gen.ts";
import {
  type CallOptions,
  type ClientOptions,
  checkCallOptions,
  checkClientOptions,
  mergeOptions,
  type Settings,
} from "./options.ts";
import { type QueryPromise, queryPromise, type WithResponse } from "./query-promise.ts";
import { type ReadPage, type Walk, type WalkInput, walkTransactions } from "./transactions.ts";
import { type Draft, type TransportSettings, transmit } from "./transport.ts";

type Wire = Record<string, unknown>;

type Answered<Id extends OperationId> = QueryPromise<ResultOf<Id>, EnvelopeOf<Id>>;

/**
 * The method of an operation: its input, if it takes any, then options. It never throws; a wrong input rejects the promise.
 *
 * @example
 * ```ts
 * const lookUp: Method<"lookupBlock"> = (input, options) => chain.lookupBlock(input, { timeoutMs: 5_000, ...options });
 * ```
 */
export type Method<Id extends OperationId> = keyof (typeof operations)[Id]["members"] extends never
  ? (options?: CallOptions) => Answered<Id>
  : (input: InputOf<Id>, options?: CallOptions) => Answered<Id>;

/**
 * One method for each operation of the contract, named by its operationId, and a few more.
 *
 * @example
 * ```ts
 * async function height(chain: ChainClient): Promise<number> {
 *   const { last } = await chain.getMasterchainInfo();
 *   return last.seqno;
 * }
 * ```
 */
export type ChainClient = { readonly [Id in OperationId]: Method<Id> } & {
  /**
   * Iterates over the history of an account, newest first.
   *
   * @example
   * ```ts
   * for await (const tx of chain.transactions({ address, maxItems: 500 })) console.log(tx.transaction_id.lt, tx.fee);
   * for await (const page of chain.transactions({ address }).pages()) save(page.items, page.cursor);
   * ```
   */
  transactions(input: WalkInput, options?: CallOptions): Walk;
  /** openapi-fetch itself, with the same key, limiter, timeouts and retries. */
  readonly raw: RawClient;
  /**
   * Returns the same client with some options changed; `retry` and `headers` are merged member by member. It shares the limiter,
   * unless `rateLimit` changes.
   *
   * @example
   * ```ts
   * const slow = chain.withOptions({ timeoutMs: 120_000 });
   * ```
   */
  withOptions(options: Partial<ClientOptions>): ChainClient;
};

/**
 * Creates a client of one deployment. It sends nothing until you call a method, and holds nothing open.
 *
 * Each method resolves to the `result` of the answer under its wire names, or rejects with a `ChainQueryError`. Throws an
 * `InvalidArgumentError` if an option is unknown or wrong.
 *
 * @example
 * ```ts
 * const chain = createClient({ baseUrl: "http://127.0.0.1:4010" });
 * const { last } = await chain.getMasterchainInfo();
 * const block = await chain.lookupBlock({ workchain: -1, shard: last.shard, seqno: last.seqno });
 * ```
 */
export function createClient(options: ClientOptions): ChainClient {
  const settings = checkClientOptions(options);
  // With a key there is no rate limit, only the pauses after a 429, which all calls share.
  const usual = settings.apiKey === undefined ? { requests: 1, perMs: 1_000 } : { requests: Number.MAX_SAFE_INTEGER, perMs: 1 };
  const { rateLimit = usual } = settings;
  return clientOf(options, settings, rateLimit ? ("acquire" in rateLimit ? rateLimit : createLimiter(rateLimit)) : undefined);
}

async function readKey(operation: string, ask: () => string | Promise<string>): Promise<string> {
  try {
    const key = await ask();
    check("apiKey", { key }, { key: "key" }, ["key"]);
    return key;
  } catch (cause) {
    return refuse(operation, "apiKey: the function failed, or did not return visible ASCII", cause);
  }
}

function clientOf(options: ClientOptions, settings: Settings, limiter: Limiter | undefined): ChainClient {
  const { baseUrl, apiKey, headers = {}, hooks, logger, middleware = [], dedupe = true, validate } = settings;
  const emit = emitter([hooks, logger && loggingHooks(logger)]);
  const transport: TransportSettings = {
    ...settings,
    key: (operation) => (typeof apiKey === "function" ? readKey(operation, apiKey) : apiKey),
    limiter,
    emit,
  };
  const { raw, callRaw } = createRawClient(
    {
      baseUrl,
      headers,
      fetch: (request) =>
        transmit(request, { ...transport, signal: request.signal }, { operation: new URL(request.url).pathname, attempts: 0 }),
    },
    middleware,
  );

  async function call(
    operation: string,
    { method, path, members }: Operation,
    wire: Wire,
    own: CallOptions,
  ): Promise<WithResponse<unknown>> {
    const started = performance.now();
    const point = { operation, attempts: 0 };
    let sent: Draft | undefined;
    let error: unknown;
    try {
      const answer = await callRaw(method, path, wire, own.headers, (request) => {
        sent = request;
        return transmit(request, { ...transport, ...own } as TransportSettings, point);
      });
      const mayBeOld = "archival" in members && wire["archival"] !== true;
      const hint = mayBeOld ? "; archival: true may reach older history" : "";
      const opened = openEnvelope(answer, point, validate, sent?.headers.get("X-API-Key"), hint);
      return { ...opened, response: answer.response, attempts: point.attempts };
    } catch (caught) {
      error = caught;
      throw caught;
    } finally {
      emit?.("onSettled", { call: point, durationMs: performance.now() - started, error });
    }
  }

  const inFlight = new Map<string, Promise<WithResponse<unknown>>>();
  function shared(operation: string, about: Operation, wire: Wire, own: CallOptions, mayShare: boolean) {
    const begin = () => call(operation, about, wire, own);
    const key = operation + JSON.stringify(Object.entries(wire).sort());
    if (!dedupe || !mayShare || !(about.method === "get" || key.endsWith("[]"))) return begin();
    const under = inFlight.get(key) ?? begin().finally(() => inFlight.delete(key));
    inFlight.set(key, under);
    return under;
  }

  const client: Record<string, unknown> = {
    raw,
    transactions: (input: WalkInput, own?: CallOptions) =>
      walkTransactions(client["getTransactionsStd"] as ReadPage, input, own),
    withOptions: (changed: Partial<ClientOptions>) => {
      const merged = mergeOptions(options, changed);
      return changed.rateLimit !== undefined ? createClient(merged) : clientOf(merged, checkClientOptions(merged), limiter);
    },
  };
  for (const [operation, about] of Object.entries<Operation>(operations)) {
    const takesInput = Object.keys(about.members).length > 0;
    client[operation] = (...args: [object?, CallOptions?]) => {
      const given = takesInput ? args[1] : (args[0] as CallOptions | undefined);
      const run = async () => {
        const own = checkCallOptions(operation, given);
        return shared(operation, about, takesInput ? toWire(operation, about, args[0]) : {}, own, !given);
      };
      return queryPromise(run());
    };
  }
  return client as ChainClient;
}
