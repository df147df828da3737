import type { OperationId, ResultOf } from "@chain-query/types";
import { annotate, checkOptions, checkWire, label } from "#diagnostics";
import { type Envelope, extraOf, failure, openEnvelope } from "./calls/envelope.ts";
import { type QueryPromise, queryPromise, type Success } from "./calls/query-promise.ts";
import { iterateTransactions, type ReadPage, type TransactionIterator, type TransactionsInput } from "./calls/transactions.ts";
import { emitter } from "./hooks.ts";
import { deploymentOf, type Operation, pathOf, toWire } from "./operations/input.ts";
import type { Methods } from "./operations/methods.gen.ts";
import { operations } from "./operations/operations.gen.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { startLimiter } from "./transport/limiter.ts";
import { createCarrier, type RawClient } from "./transport/openapi-fetch.ts";
import type { Limiter, OutgoingRequest, ReceivedResponse, TransportSettings } from "./transport/settings.ts";
import { now, type Retry } from "./transport/timing.ts";
import { transmit } from "./transport/transmit.ts";

/**
 * The method of an operation: its input, if it takes any, then options. It never throws; a wrong input rejects the promise.
 *
 * @example
 * ```ts
 * const lookUp: Method<"lookupBlock"> = (input, options) => chain.lookupBlock(input, { timeoutMs: 5_000, ...options });
 * ```
 */
export type Method<Id extends OperationId> = Named[Id];

type Named = Methods<{ [Id in OperationId]: ResultOf<Id> }>;

/** Mapped, so that editors show a method without the name of its interface. */
type OwnMethods = { readonly [Id in keyof Named]: Named[Id] };

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
export interface ChainClient extends OwnMethods {
  /**
   * Iterates over the history of an account, newest first.
   *
   * @example
   * ```ts
   * for await (const tx of chain.transactions({ address, maxItems: 500 })) console.log(tx.transaction_id.lt, tx.fee);
   * for await (const page of chain.transactions({ address }).pages()) save(page.items, page.cursor);
   * ```
   */
  transactions(input: TransactionsInput, options?: CallOptions): TransactionIterator;
  /** openapi-fetch itself, with the same key, limiter, timeouts and retries. Not enumerable, so a spread copy lacks it. */
  readonly raw: RawClient;
  /**
   * Returns the same client with some options changed; `retry` and `headers` are merged member by member. It shares the limiter,
   * unless `rateLimit` or `baseUrl` changes.
   *
   * @example
   * ```ts
   * const slow = chain.withOptions({ timeoutMs: 120_000 });
   * ```
   */
  withOptions(options: Partial<ClientOptions>): ChainClient;
}

/**
 * Creates a client of one deployment. It sends nothing until you call a method, and holds nothing open.
 *
 * Each method resolves to the `result` of the response under its wire names, or rejects with a `ChainQueryError`. Throws an
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
  const settings = readClientOptions(options);
  const isKeyed = settings.apiKey !== undefined;
  const isLocal = /\/\/(localhost|127[.\d]+|\[::1])([:/]|$)/i.test(settings.baseUrl);
  const documented = { requests: 1, perMs: 1_000 };
  // Without a rate limit there are still the pauses after a 429, which all calls share.
  const usual = isKeyed || isLocal ? { requests: 1e9, perMs: 1 } : documented;
  const { rateLimit = usual } = settings;
  // A service on this machine may have the documented limit or none; its first 429 shows which.
  const limitAfter429 = rateLimit === usual && !isKeyed ? documented : undefined;
  const limiter = rateLimit ? ("acquire" in rateLimit ? rateLimit : startLimiter(rateLimit, limitAfter429)) : undefined;
  return clientOf(options, settings, limiter);
}

function clientOf(options: ClientOptions, settings: Settings, limiter: Limiter | undefined): ChainClient {
  const { raw, methodOf } = createMethods(settings, limiter);
  const client: Record<string, unknown> = {
    transactions: (input: TransactionsInput, own?: CallOptions) =>
      iterateTransactions(client["getTransactionsStd"] as ReadPage, input, own),
    withOptions: (changed: Partial<ClientOptions>) => {
      const merged = mergeOptions(options, changed);
      return (changed.rateLimit ?? changed.baseUrl) !== undefined
        ? createClient(merged)
        : clientOf(merged, readClientOptions(merged), limiter);
    },
  };
  Object.defineProperty(client, "raw", { value: raw });
  for (const [operation, about] of Object.entries<Operation>(operations)) {
    client[operation] = methodOf(operation, about);
  }
  label(client, settings);
  return client as unknown as ChainClient;
}

/** Creates `raw`, and the function that creates the other methods. */
function createMethods(settings: Settings, limiter: Limiter | undefined) {
  const { baseUrl, headers, hooks, validate } = settings;
  const emit = emitter(hooks);
  const usual: TransportSettings = { ...settings, limiter, emit };
  const { raw, carryCall } = createCarrier(baseUrl, headers, async (outgoing, signal) => {
    const call = { operation: outgoing.url.replace(/.*(?=\/api\/v2)|\?.*/g, ""), attempts: 0 };
    const received = await transmit(outgoing, { ...usual, signal }, call);
    // Browsers report status 0 for a redirect, and a server may send any; no Response can be made with these.
    const { status } = received.response;
    if (status < 200 || status > 599) throw failure(received, call);
    return received;
  });

  function methodOf(operation: string, about: Operation): (input?: object, given?: CallOptions) => QueryPromise<unknown> {
    const { method, members, path = pathOf(operation) } = about;
    const takesInput = Object.keys(members)[0];
    // Without inputs the options come first, or from JavaScript after an empty input.
    return (input, given = takesInput ? undefined : input) => {
      const call = { operation, attempts: 0 };
      let received: ReceivedResponse;
      let envelope: Envelope;
      const run = async () => {
        const own: CallOptions | undefined = given && checkOptions("call", given, operation);
        const wire = toWire(operation, about, given === input ? {} : input);
        checkWire(operation, wire);
        const started = now();
        let error: unknown;
        emit?.("onCall", { call });
        try {
          const at = { ...usual, ...own } as TransportSettings;
          const send = (outgoing: OutgoingRequest) => transmit(outgoing, at, call);
          received = (await carryCall(method, path, wire, own?.headers, send)).response;
          envelope = openEnvelope(received, call, validate);
          return envelope.result as unknown;
        } catch (caught) {
          error = caught;
          annotate(caught, members, wire);
          throw caught;
        } finally {
          emit?.("onSettled", { call, durationMs: now() - started, error });
        }
      };
      return queryPromise(run(), (result) => {
        const { response, text } = received;
        Object.assign(response, { text: async () => text, json: async () => JSON.parse(text) });
        return { result, response, attempts: call.attempts, extra: extraOf(envelope), envelope: envelope as Success<unknown> };
      });
    };
  }
  return { raw, methodOf };
}

/** Options of a client with defaults filled in. */
type Settings = ClientOptions & Retry & { timeoutMs: number; deadlineMs: number };

const defaults: Retry & { timeoutMs: number; deadlineMs: number } = {
  timeoutMs: 30_000,
  deadlineMs: 120_000,
  maxRetries: 2,
  baseDelayMs: 500,
  maxDelayMs: 8_000,
  statuses: [408, 425, 429, 502, 503, 504],
};

/** Checks the options of a client, if this build does, and fills in the defaults. */
function readClientOptions(options: ClientOptions): Settings {
  const checked = checkOptions("client", options) as unknown as ClientOptions;
  return { ...defaults, ...checked, baseUrl: deploymentOf(checked.baseUrl), ...retryOf(checked) } as Settings;
}

function retryOf({ retry }: Partial<ClientOptions>): Partial<Retry> {
  return retry === false ? { maxRetries: 0 } : checkOptions("retry", retry);
}

/** Merges changed options into those of a client; undefined changes nothing. */
function mergeOptions(options: ClientOptions, changed: Partial<ClientOptions>): ClientOptions {
  const given: Partial<ClientOptions> = checkOptions("change", changed);
  const retry = { ...retryOf(options), ...retryOf(given) };
  return { ...options, ...given, retry, headers: { ...options.headers, ...given.headers } };
}
