import { connect, createServer, type Socket } from "node:net";

/**
 * A TCP proxy that drops the response to one COMMIT, so that the client does not know that PostgreSQL has executed it. `late` forwards the
 * COMMIT after the client has begun its next transaction.
 */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** Cuts the connection of the next COMMIT. */
  cutNext(commit?: "at once" | "late"): void;
  /** Connections that were cut. */
  readonly cuts: number;
}

const [BEGIN, COMMIT] = [/BEGIN/, /COMMIT/];

export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let armed: "at once" | "late" | undefined;
  let commitLate = (): void => {};
  let cuts = 0;
  const server = createServer((client) => {
    const database = connect(target, "127.0.0.1");
    let isCommitting = false;
    let isLate = false;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        if (!isLate) database.destroy();
      });
    }
    client.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      if (BEGIN.test(text)) commitLate();
      if (armed === undefined || !COMMIT.test(text)) {
        database.write(bytes);
        return;
      }
      isCommitting = true;
      isLate = armed === "late";
      armed = undefined;
      if (!isLate) {
        database.write(bytes);
        return;
      }
      cuts += 1;
      client.destroy();
      commitLate = () => {
        commitLate = () => {};
        database.end(bytes);
      };
    });
    database.on("data", (bytes) => {
      if (!isCommitting) client.write(bytes);
      else if (!isLate) {
        cuts += 1;
        client.destroy();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : 0,
    cutNext: (commit = "at once") => {
      armed = commit;
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
