import { createServer } from "node:http";
import { conditioned } from "./conditions.ts";
import type { Responder } from "./exchange.ts";
import { listen } from "./listen.ts";
import { checkOptions, type MockOptions } from "./options.ts";
import type { Override } from "./override.ts";
import { latest, type RecordedRequest, shown } from "./record.ts";
import { listener } from "./wire.ts";

/** A mock that runs. */
export interface Mock extends AsyncDisposable {
  /** Base URL without a trailing slash, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The latest requests, oldest first; see {@link MockOptions.keepRequests}. A browser's preflights are not among them. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Puts another answer in the place of an operation's own until `reset`: an example by its name, a status, or what a handler
   * returns. Invalid requests are still answered with 422. It throws an {@link OptionError} where there is no such operation or
   * example.
   *
   * @example
   * ```ts
   * mock.override("lookupBlock", "past-head");
   * mock.override("getConsensusBlock", 504);
   * mock.override("getMasterchainInfo", () => ({ status: 200, body: "<html>" }));
   * ```
   */
  override(operationId: string, answer: Override): void;
  /** Forgets requests and overrides, and begins conditions and limits anew: the mock is as it was when it started. */
  reset(): void;
  /** Ends open connections and frees the port. Calling it again does no harm. */
  close(): Promise<void>;
}

/**
 * Starts a mock of the API in this process. It rejects with a {@link ListenError} where it cannot listen and with an
 * {@link OptionError} where an option makes no sense.
 *
 * @example
 * ```ts
 * await using mock = await startMock({ latency: [50, 200], fail: { rate: 0.05, status: 503 }, seed: 7 });
 * const answer = await fetch(`${mock.url}/api/v2/getMasterchainInfo`, { headers: { Prefer: "code=429" } });
 * console.log(mock.requests.length); // 1
 * ```
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  checkOptions(options);
  const { port = 0, host = "127.0.0.1", dynamic = false, seed = 1, keepRequests = 1000, log } = options;
  // Prism is slow to load; importing this package should cost nothing until a mock is wanted.
  const [{ loadContract }, { answers }, { answering }, { overridesOf }] = await Promise.all([
    import("./prism.ts"),
    import("./answers.ts"),
    import("./exchange.ts"),
    import("./override.ts"),
  ]);
  const contract = await loadContract();
  const overrides = overridesOf(contract);
  const requests = latest(keepRequests);
  const closing = new AbortController();
  const world = conditioned(answering(answers(contract, overrides, { dynamic, seed })), options, seed, closing.signal);

  const respond: Responder = async (question) => {
    const time = new Date();
    const start = performance.now();
    requests.add(question);
    const answer = await world.respond(question);
    log?.({ time, request: shown(question), status: answer.status, ms: performance.now() - start });
    return answer;
  };

  const server = createServer(listener(respond, contract.methodsOf));
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
      world.reset();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
