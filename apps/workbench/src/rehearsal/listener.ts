/** A server in the place of the one that install scripts report to. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that counts connections. */
export interface Listener extends AsyncDisposable {
  port: number;
  calls(): number;
}

/** Listens on a free port of this machine. */
export async function startListener(): Promise<Listener> {
  let calls = 0;
  const server: Server = createServer((_, answer) => answer.end());
  server.on("connection", () => calls++);
  // By name, because the scripts call localhost.
  await once(server.listen(0, "localhost"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
