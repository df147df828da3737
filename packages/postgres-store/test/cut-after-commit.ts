import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy that loses the answer to one COMMIT: PostgreSQL executes it, and the client does not learn that. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** Cuts the connection of the next COMMIT. */
  cutNext(): void;
  /** Connections that were cut. */
  readonly cuts: number;
}

const COMMIT = /COMMIT/;

export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let isArmed = false;
  let cuts = 0;
  const server = createServer((client) => {
    const database = connect(target, "127.0.0.1");
    let isCommitting = false;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.on("data", (bytes) => {
      if (isArmed && COMMIT.test(bytes.toString("latin1"))) {
        isArmed = false;
        isCommitting = true;
      }
      database.write(bytes);
    });
    database.on("data", (bytes) => {
      if (isCommitting) {
        cuts += 1;
        client.destroy();
      } else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : 0,
    cutNext: () => {
      isArmed = true;
    },
    get cuts() {
      return cuts;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
