import { connect, createServer, type Socket } from "node:net";

/**
 * A moment at which the proxy closes a connection: `before BEGIN` does not forward it; `after COMMIT` drops its response, so that the client
 * does not know that PostgreSQL has executed it; `before a late COMMIT` forwards it after the client has begun its next transaction.
 */
type Cut = "before BEGIN" | "after COMMIT" | "before a late COMMIT";

/** A TCP proxy that closes connections between a client and PostgreSQL. */
interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** Closes the next connection that gets to this point. */
  cutNext(cut: Cut): void;
  /** Number of closed connections. */
  readonly cuts: number;
}

/** @param target - The port of PostgreSQL. */
export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let next: Cut | undefined;
  let commitLate = (): void => {};
  let cuts = 0;
  const server = createServer((client) => {
    const database = connect(target, "127.0.0.1");
    let current: Cut | undefined;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        if (current !== "before a late COMMIT") database.destroy();
      });
    }
    const close = (): void => {
      cuts += 1;
      client.destroy();
    };
    client.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      if (text.includes("BEGIN")) commitLate();
      if (next !== undefined && text.includes(next === "before BEGIN" ? "BEGIN" : "COMMIT"))
        [current, next] = [next, undefined];
      if (current === undefined || current === "after COMMIT") database.write(bytes);
      else close();
      if (current !== "before a late COMMIT") return;
      commitLate = () => {
        commitLate = () => {};
        database.end(bytes);
      };
    });
    database.on("data", (bytes) => {
      if (current === undefined) client.write(bytes);
      else if (current === "after COMMIT") close();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : 0,
    cutNext: (cut) => {
      next = cut;
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
