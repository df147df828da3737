/** Starts a mock in this process, and connects responder, conditions, recording and HTTP server. */
import { createServer } from "node:http";
import type { OperationId } from "@chain-query/openapi/operations";
import { withCompatibility, withContract } from "./compatibility.ts";
import { withConditions } from "./conditions.ts";
import { withCaching, withHead } from "./heads.ts";
import { listen } from "./http/listen.ts";
import { createListener, respondToUnparsed } from "./http/requests.ts";
import { checkOptions, type MockOptions } from "./options.ts";
import { createResponder } from "./responder.ts";
import { createRecording, type RecordedRequest, type Responder, recorded } from "./responses/exchange.ts";
import { createOverrides, type Override } from "./responses/preference.ts";

/** A running mock. */
export interface Mock extends AsyncDisposable {
  /** Base URL without a trailing slash, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The latest requests, oldest first; see {@link MockOptions.keepRequests}. CORS preflights are left out. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Replaces the response of an operation until `reset`: with an example by its name, a status, or the result of a handler. Invalid
   * requests still get a 422. Throws an {@link OptionError} if the operation or the example does not exist.
   *
   * @example
   * ```ts
   * mock.override("lookupBlock", "past-head");
   * mock.override("getConsensusBlock", 504);
   * mock.override("getMasterchainInfo", () => ({ status: 200, body: "<html>" }));
   * ```
   */
  override<Id extends OperationId>(operationId: Id, override: Override<Id>): void;
  /** Deletes requests and overrides and restarts conditions and limits, as after the start. */
  reset(): void;
  /** Closes open connections and the port. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts a mock of the API in this process. Rejects with a {@link ListenError} if it cannot listen, and with an {@link OptionError} if
 * an option is invalid.
 *
 * @example
 * ```ts
 * await using mock = await startMock({ latency: [50, 200], fail: { rate: 0.05, status: 503 }, seed: 7 });
 * const response = await fetch(`${mock.url}/api/v2/getMasterchainInfo`, { headers: { Prefer: "code=429" } });
 * console.log(mock.requests.length); // 1
 * ```
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  checkOptions(options);
  const { port = 0, host = "127.0.0.1", dynamic = false, seed = 1, keepRequests = 1000, contractOnly = false, log } = options;
  // Loaded here, because programs import this package without starting a mock.
  const { prismSource } = await import("./responses/prism.ts");
  const overrides = createOverrides();
  const requests = createRecording(keepRequests);
  const closing = new AbortController();
  const responder = createResponder({ source: prismSource, overrideOf: overrides.of, dynamic, seed });
  const withHeads = withHead(responder, closing.signal);
  const conditioned = withConditions(contractOnly ? withHeads : withContract(withHeads), options, seed, closing.signal);

  const respondToContract: Responder = async (request) => withCaching(request, await conditioned.respond(request));
  const respondToAll = contractOnly ? respondToContract : withCompatibility(respondToContract);

  const respond: Responder = async (request) => {
    const time = new Date();
    const start = performance.now();
    requests.add(request);
    const response = await respondToAll(request);
    log?.({ time, request: recorded(request), status: response.status, ms: performance.now() - start });
    return response;
  };

  // Node would answer a request without a Host header itself, without a body.
  const listener = createListener(respond, contractOnly);
  const server = createServer({ requireHostHeader: false }, listener).on("clientError", respondToUnparsed);
  // And an unknown Expect header with 417; HTTP allows ignoring it.
  server.on("checkExpectation", listener);
  const url = await listen(server, port, host);
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  const close = (): Promise<void> => {
    closing.abort();
    server.close();
    server.closeAllConnections();
    return closed;
  };
  return {
    url,
    requests: requests.list,
    override: overrides.set,
    reset() {
      requests.clear();
      overrides.clear();
      conditioned.reset();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
