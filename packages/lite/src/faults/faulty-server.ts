import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { combine, type LiteBehaviour } from "../answers/behaviour.ts";
import { type LiteServer, type LiteServerOptions, startServer } from "../answers/server.ts";

/** Options of a faulty lite server. */
export interface FaultyServerOptions extends LiteServerOptions {
  /** The faults of the server. */
  readonly behaviours: readonly LiteBehaviour[];
}

/**
 * Starts a faulty lite server for tests of clients.
 *
 * @example
 * ```ts
 * import { flipBit, silence, startFaultyLiteServer } from "@chain-query/lite/faults";
 *
 * const behaviours = [flipBit("getAccountState", "proof"), silence({ after: 100 })];
 * const server = await startFaultyLiteServer({ chain, key, behaviours });
 * ```
 */
export async function startFaultyLiteServer({ behaviours, ...options }: FaultyServerOptions): Promise<LiteServer> {
  const behaviour = combine(...behaviours);
  const { connection: handle, isListening } = behaviour;
  if (!handle && isListening) return startServer(options, behaviour);
  const server = await startServer({ ...options, port: 0 }, behaviour);
  const front = await startFront(options, (client) =>
    handle?.(client, () => quiet(createConnection(server.port, server.host))),
  );
  if (!isListening) await front.close();
  return {
    ...server,
    port: front.port,
    get connections() {
      return server.connections;
    },
    config: () => {
      const config = server.config();
      return { ...config, liteservers: config.liteservers.map((address) => ({ ...address, port: front.port })) };
    },
    close: async () => {
      await front.close();
      await server.close();
    },
  };
}

/** A TCP server before the lite server. */
async function startFront({ host = "127.0.0.1", port = 0 }: LiteServerOptions, onConnection: (client: Socket) => void) {
  const clients = new Set<Socket>();
  const front: Server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    clients.add(client);
    client.on("close", () => clients.delete(client));
    onConnection(quiet(client));
  });
  front.listen(port, host);
  await once(front, "listening");
  const address = front.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    close: async () => {
      for (const client of clients) client.destroy();
      if (front.listening) await new Promise<void>((resolve) => void front.close(() => resolve()));
    },
  };
}

/** Without this, an error of a socket ends the process. */
function quiet(socket: Socket): Socket {
  return socket.on("error", () => socket.destroy());
}
