import type { EnvelopeOf, OperationId, ResultOf } from "@chain-query/types";
import { check } from "./check.ts";
import { openEnvelope } from "./envelope.ts";
import { emitter, loggingHooks } from "./hooks.ts";
import { callRaw, createRawClient, type RawClient } from "./http.ts";
import { type InputOf, type Operation, toWire } from "./input.ts";
import { createLimiter, type Limiter } from "./limiter.ts";
import { operations } from "./operations.gen.ts";
import { type CallOptions, type ClientOptions, checkCallOptions, checkClientOptions } from "./options.ts";
import { type QueryPromise, queryPromise, type WithResponse } from "./query-promise.ts";
import { type Walk, type WalkInput, walkTransactions } from "./transactions.ts";
import { type TransportSettings, transmit } from "./transport.ts";

type Wire = Record<string, unknown>;

type Answered<Id extends OperationId> = QueryPromise<ResultOf<Id>, EnvelopeOf<Id>>;

/** The method of an operation: its input, where it has one, then options. */
export type Method<Id extends OperationId> = keyof (typeof operations)[Id]["members"] extends never
  ? (options?: CallOptions) => Answered<Id>
  : (input: InputOf<Id>, options?: CallOptions) => Answered<Id>;

/** One method for each operation of the contract by its operationId, and what goes beyond them. */
export type ChainClient = { readonly [Id in OperationId]: Method<Id> } & {
  /**
   * Walks through the history of an account, newest first.
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
   * The same client with some options changed. It shares the limiter, unless `rateLimit` is among them.
   *
   * @example
   * ```ts
   * const patient = chain.withOptions({ timeoutMs: 120_000 });
   * ```
   */
  withOptions(options: Partial<ClientOptions>): ChainClient;
};

const defaultRetry = { maxRetries: 2, baseDelayMs: 500, maxDelayMs: 8_000, statuses: [408, 425, 429, 502, 503, 504] };

/**
 * Makes a client of one deployment. Nothing is sent until a method is called, and nothing is held open.
 *
 * Each method resolves to the `result` of the answer under its wire names, or fails with a `ChainQueryError`. Throws an
 * `InvalidArgumentError` where an option is unknown or wrong.
 *
 * @example
 * ```ts
 * const chain = createClient({ baseUrl: "http://127.0.0.1:4010" });
 * const { last } = await chain.getMasterchainInfo();
 * const block = await chain.lookupBlock({ workchain: -1, shard: last.shard, seqno: last.seqno });
 * ```
 */
export function createClient(options: ClientOptions): ChainClient {
  checkClientOptions(options);
  const { rateLimit = options.apiKey === undefined && { requests: 1, perMs: 1_000 } } = options;
  return clientOf(options, rateLimit ? ("acquire" in rateLimit ? rateLimit : createLimiter(rateLimit)) : undefined);
}

function clientOf(options: ClientOptions, limiter: Limiter | undefined): ChainClient {
  const { baseUrl, apiKey, headers = {}, hooks, logger, middleware = [], dedupe = true, validate } = options;
  let latestKey = typeof apiKey === "string" ? apiKey : undefined;
  async function key(): Promise<string | undefined> {
    if (typeof apiKey !== "function") return apiKey;
    latestKey = await apiKey();
    check("apiKey", { result: latestKey }, { result: "key" }, ["result"]);
    return latestKey;
  }
  const emit = emitter([hooks, logger && loggingHooks(logger)]);
  const settings: TransportSettings = {
    key,
    fetch: options.fetch,
    limiter,
    retry: { ...defaultRetry, ...(options.retry === false ? { maxRetries: 0 } : options.retry) },
    timeoutMs: options.timeoutMs ?? 30_000,
    deadlineMs: options.deadlineMs,
    emit,
  };
  // A deployment may repeat the key in its text, and texts end up in logs.
  const redact = (text: string) => (latestKey ? text.replaceAll(latestKey, "[key]") : text);

  const raw = createRawClient(
    {
      baseUrl,
      headers,
      fetch: (request) =>
        transmit(request, settings, { operation: new URL(request.url).pathname, attempts: 0 }, request.signal),
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
    const settled = (error?: unknown) => emit("onSettled", { call: point, durationMs: performance.now() - started, error });
    try {
      const { timeoutMs = settings.timeoutMs, deadlineMs = settings.deadlineMs, maxRetries = settings.retry.maxRetries } = own;
      const ownSettings = { ...settings, timeoutMs, deadlineMs, retry: { ...settings.retry, maxRetries } };
      const answer = await callRaw(raw, method, path, wire, own.headers, (request, body) =>
        transmit(request, ownSettings, point, own.signal, body),
      );
      const mayBeOld = "archival" in members && wire["archival"] !== true;
      const hint = mayBeOld ? "; archival: true may reach older history" : "";
      const opened = openEnvelope(answer, point, validate, redact, hint);
      settled();
      return { ...opened, response: answer.response, attempts: point.attempts };
    } catch (error) {
      settled(error);
      throw error;
    }
  }

  const inFlight = new Map<string, Promise<WithResponse<unknown>>>();
  function shared(operation: string, about: Operation, wire: Wire, own: CallOptions | undefined) {
    const key = operation + JSON.stringify(wire);
    const sharable = dedupe && !own && (about.method === "get" || key.endsWith("{}"));
    const begin = () => call(operation, about, wire, own ?? {});
    if (!sharable) return begin();
    const under = inFlight.get(key) ?? begin().finally(() => inFlight.delete(key));
    inFlight.set(key, under);
    return under;
  }

  const client: Record<string, unknown> = {
    raw,
    transactions: (input: WalkInput, own?: CallOptions) =>
      walkTransactions((page, pageOptions) => (client as ChainClient).getTransactionsStd(page, pageOptions), input, own),
    withOptions: (changed: Partial<ClientOptions>) => {
      const merged = { ...options, ...changed };
      checkClientOptions(merged);
      return "rateLimit" in changed ? createClient(merged) : clientOf(merged, limiter);
    },
  };
  for (const [operation, about] of Object.entries<Operation>(operations)) {
    const takesInput = Object.keys(about.members).length > 0;
    client[operation] = (...args: [object?, CallOptions?]) => {
      const run = async () => {
        const own = takesInput ? args[1] : (args[0] as CallOptions | undefined);
        if (own !== undefined) checkCallOptions(operation, own);
        return shared(operation, about, takesInput ? toWire(operation, about, args[0] ?? {}) : {}, own);
      };
      return queryPromise(run());
    };
  }
  return client as ChainClient;
}
