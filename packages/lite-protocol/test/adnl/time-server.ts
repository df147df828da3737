/** A server that answers only `getTime`, with the query and the answer. */
import type { AdnlAddress } from "../../src/adnl/index.ts";
import { type AdnlServer, type ServeOptions, serveAdnl } from "../../src/adnl/serve.ts";
import { queries, writeAnswer } from "../../src/tl/index.ts";
import { key } from "./bad-server.ts";

export const bytes: Uint8Array = queries.getTime().bytes;
export const time: Uint8Array = writeAnswer("getTime", { now: 5 });
export const soon = (): AbortSignal => AbortSignal.timeout(5000);

export interface TimeServer extends AsyncDisposable {
  readonly server: AdnlServer;
  readonly address: AdnlAddress;
}

export async function serve(options: Partial<ServeOptions> = {}): Promise<TimeServer> {
  const server = await serveAdnl({ key, port: 0, onQuery: () => time, ...options });
  return {
    server,
    address: { host: "127.0.0.1", port: server.port, publicKey: key.publicKey },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
