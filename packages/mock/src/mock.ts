import { createServer } from "node:http";
import { listen } from "./listen.ts";
import { listener } from "./wire.ts";

/** Where the mock listens. */
export interface MockOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  /** 127.0.0.1 by default: this machine only. */
  host?: string;
}

/** A mock that runs. */
export interface Mock extends AsyncDisposable {
  /** Base URL without a trailing slash, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Ends open connections and frees the port. Calling it again does no harm. */
  close(): Promise<void>;
}

/**
 * Starts a mock of the API in this process. It rejects with a {@link ListenError} where it cannot listen.
 *
 * @example
 * ```ts
 * const mock = await startMock({ port: 4010 });
 * const answer = await fetch(`${mock.url}/api/v2/getMasterchainInfo`, { headers: { Prefer: "code=429" } });
 * await mock.close();
 * ```
 */
export async function startMock({ port = 0, host = "127.0.0.1" }: MockOptions = {}): Promise<Mock> {
  // Prism is slow to load; importing this package should cost nothing until a mock is wanted.
  const { contractResponder } = await import("./prism.ts");
  const server = createServer(listener(await contractResponder()));
  const url = await listen(server, port, host);
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  const close = (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    return closed;
  };
  return { url, close, [Symbol.asyncDispose]: close };
}
