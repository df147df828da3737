import type { OperationId, RequestOf, ResultOf } from "@chain-query/types";
import { openEnvelope } from "./envelope.ts";
import { createRawClient, type RawClient, send } from "./http.ts";
import { operations } from "./operations.gen.ts";
import { type CamelCased, toWire } from "./wire-names.ts";

/** What an operation takes: the members of the contract under their camelCase names. */
export type InputOf<Id extends OperationId> = CamelCased<RequestOf<Id>>;

type Method<Id extends OperationId> =
  RequestOf<Id> extends Record<string, never> ? () => Promise<ResultOf<Id>> : (input: InputOf<Id>) => Promise<ResultOf<Id>>;

/** How to reach a deployment. */
export interface ClientOptions {
  /** Scheme, host, port and path before `/api/v2`, such as `https://node.example`. */
  baseUrl: string;
  /** Sent as `X-API-Key`. Without one, a deployment answers one request per second. */
  apiKey?: string;
  /** Used in place of `globalThis.fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** One method for each operation of the contract, by its operationId, and openapi-fetch itself as `raw`. */
export type ChainClient = { readonly [Id in OperationId]: Method<Id> } & { readonly raw: RawClient };

/**
 * Makes a client of one deployment. Nothing is sent until a method is called.
 *
 * A method resolves to the `result` of the answer, with its wire names. It throws an {@link ApiError} where the service says
 * that it failed, a {@link ParseError} where the answer is no envelope, and what `fetch` throws where there is no answer.
 *
 * @example
 * ```ts
 * const chain = createClient({ baseUrl: "http://127.0.0.1:4010" });
 * const { last } = await chain.getMasterchainInfo();
 * const block = await chain.lookupBlock({ workchain: -1, shard: last.shard, seqno: last.seqno });
 * ```
 */
export function createClient({ baseUrl, apiKey, fetch }: ClientOptions): ChainClient {
  const raw = createRawClient({
    baseUrl,
    headers: apiKey === undefined ? {} : { "X-API-Key": apiKey },
    // Looked up at each call, so that a replacement installed later is used.
    fetch: fetch ?? ((request) => globalThis.fetch(request)),
  });
  const client: Record<string, unknown> = { raw };
  for (const [operation, { method, path }] of Object.entries(operations)) {
    client[operation] = async (input: object = {}): Promise<unknown> =>
      openEnvelope(operation, await send(raw, method, path, toWire(input)));
  }
  return client as ChainClient;
}
