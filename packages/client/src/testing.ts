/**
 * A fake `fetch` for tests of code that uses the client. Requests, envelopes, retries and errors are the real ones.
 *
 * @module
 */
import type { OperationId, RequestOf } from "@chain-query/types";
import { checkOperations, type FakeResponses, inputOf, invalid, operationOf, pathOfUrl, respond } from "./testing/responses.ts";
import { throwIfAborted } from "./transport/timing.ts";

export { failures, fixtures } from "./testing/fixtures.gen.ts";
export {
  type ApiFailureOptions,
  apiFailure,
  documented,
  type FakeResponse,
  type FakeResponses,
  inTurn,
  networkError,
  type ResponseMaker,
} from "./testing/responses.ts";

/**
 * A request that the fake received; `operation` narrows the type of `input`.
 *
 * @example
 * ```ts
 * const [first] = fetch.requests;
 * if (first?.operation === "lookupBlock") expect(first.input.seqno).toBe(7);
 * ```
 */
export type RecordedRequest = {
  [Id in OperationId]: {
    readonly operation: Id;
    /** The input, in wire form. */
    readonly input: RequestOf<Id>;
    /** Headers by lower-case name; the value of `x-api-key` is always `[key]`. */
    readonly headers: Readonly<Record<string, string>>;
    readonly url: string;
  };
}[OperationId];

/**
 * A `fetch` for the client.
 *
 * @example
 * ```ts
 * const fetch: FakeFetch = fakeFetch({ getMasterchainInfo: apiFailure(503) });
 * ```
 */
export interface FakeFetch {
  (input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Every request so far, retries too. */
  readonly requests: readonly RecordedRequest[];
}

/**
 * Creates a `fetch` that responds by operation, at any base URL, and records its requests. An operation without a response fails
 * with an `InvalidArgumentError` that names it; `fakeFetch(documented)` answers every operation as the mock does.
 *
 * @example
 * ```ts
 * const fetch = fakeFetch({
 *   getMasterchainInfo: fixtures.getMasterchainInfo.head,
 *   getAddressInformation: ({ address }) => ({ ...fixtures.getAddressInformation.active, balance: balances[address] ?? "0" }),
 *   lookupBlock: inTurn(apiFailure(429, { retryAfter: 1 }), fixtures.lookupBlock["by-seqno"]),
 *   getConsensusBlock: () => new Promise(() => {}), // never answers
 * });
 * const chain = createClient({ baseUrl: "http://node.test", fetch, rateLimit: false });
 * await chain.getMasterchainInfo();
 * fetch.requests; // [{ operation: "getMasterchainInfo", input: {}, … }]
 * ```
 */
export function fakeFetch(responses: FakeResponses = {}): FakeFetch {
  checkOperations("fakeFetch", responses);
  const requests: RecordedRequest[] = [];

  async function fetch(input: Request | URL | string, init?: RequestInit): Promise<Response> {
    const request = input instanceof Request ? input : new Request(input, init);
    const signal = init?.signal ?? request.signal;
    throwIfAborted(signal);
    const operation = operationOf(request);
    if (operation === undefined) {
      throw invalid("fakeFetch", `${request.method} ${pathOfUrl(request.url)} is not an operation of the contract`);
    }
    const asked = await inputOf(operation, request);
    requests.push({ operation, input: asked, headers: headersOf(request), url: request.url } as RecordedRequest);
    const response = await respond(operation, responses[operation], asked, request);
    throwIfAborted(signal);
    if (response.type === "error") throw new TypeError("fetch failed", { cause: new Error("simulated network error") });
    return response;
  }
  return Object.assign(fetch, { requests });
}

function headersOf(request: Request): Record<string, string> {
  const headers: Record<string, string> = {};
  request.headers.forEach((value, name) => {
    headers[name] = name === "x-api-key" ? "[key]" : value;
  });
  return headers;
}
