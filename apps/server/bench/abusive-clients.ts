/** Clients that abuse a service until they are disposed of. As a program: `node abusive-clients.ts NAME COUNT PORT`. */
import { connect, type Socket } from "node:net";

/** Abuse in progress. */
export interface Abuse extends Disposable {
  /** Number of connections opened, or requests begun, so far. */
  readonly size: () => number;
  /** Number of those that the service has ended. */
  readonly ended: () => number;
}

type StartAbuse = (port: number, count: number) => Promise<Abuse>;

const connectBatch = 500;
const dripInterval = 300;
const slowHead = "GET /api/v2/getMasterchainInfo HTTP/1.1\r\nhost: x\r\nx-slow: ";

/** Connections that are opened and left idle. */
export const idling: StartAbuse = async (port, count) => {
  const sockets = await openAll(port, count);
  return {
    size: () => sockets.length,
    ended: () => sockets.filter(({ writable }) => !writable).length,
    [Symbol.dispose]: () => destroyAll(sockets),
  };
};

/** Requests that are sent one byte at a time. When the service ends one, another begins. */
export const dripping: StartAbuse = async (port, count) => {
  const lines = (await openAll(port, count)).map((socket) => ({ socket, sent: 0 }));
  let ended = 0;
  const timer = setInterval(() => {
    for (const line of lines) {
      if (line.socket.writable) line.socket.write(slowHead[line.sent++] ?? "x");
      else {
        ended++;
        Object.assign(line, { socket: open(port), sent: 0 });
      }
    }
  }, dripInterval);
  return {
    size: () => count + ended,
    ended: () => ended,
    [Symbol.dispose]() {
      clearInterval(timer);
      destroyAll(lines.map(({ socket }) => socket));
    },
  };
};

/** Connections on which requests are pipelined and no answer is read. */
export const notReading =
  (paths: readonly string[]): StartAbuse =>
  async (port, count) => {
    const sockets = await openAll(port, count);
    const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join("");
    for (const socket of sockets) socket.pause().write(requests);
    return {
      size: () => sockets.length,
      ended: () => sockets.filter(({ writable }) => !writable).length,
      [Symbol.dispose]: () => destroyAll(sockets),
    };
  };

/** Bodies of two megabytes, one after another on each of `count` connections. */
export const largeBodies: StartAbuse = (port, count) => {
  const body = Buffer.alloc(2 * 2 ** 20, "x");
  const head = `POST /api/v2/lookupBlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  return repeating(port, count, [Buffer.from(head), body]);
};

/** Headers of one megabyte, one request after another on each of `count` connections. */
export const largeHeaders: StartAbuse = (port, count) => {
  const head = `GET /api/v2/getMasterchainInfo HTTP/1.1\r\nhost: x\r\n${`x-large: ${"x".repeat(1000)}\r\n`.repeat(1000)}\r\n`;
  return repeating(port, count, [Buffer.from(head)]);
};

/** The names of the kinds of abuse. */
export type AbuseName = "idling" | "dripping" | "largeBodies" | "largeHeaders";

const kinds: Readonly<Record<AbuseName, StartAbuse>> = { idling, dripping, largeBodies, largeHeaders };

async function repeating(port: number, count: number, pieces: readonly Buffer[]): Promise<Abuse> {
  let stopped = false;
  let sent = 0;
  let ended = 0;
  const sockets = new Set<Socket>();
  const sendOnce = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = open(port);
      sockets.add(socket);
      socket
        .once("data", () => socket.destroy())
        .once("close", () => {
          ended++;
          sockets.delete(socket);
          resolve();
        });
      for (const piece of pieces) socket.write(piece);
      sent++;
    });
  for (let index = 0; index < count; index++) {
    void (async () => {
      while (!stopped) await sendOnce();
    })();
  }
  return {
    size: () => sent,
    ended: () => ended,
    [Symbol.dispose]() {
      stopped = true;
      destroyAll(sockets);
    },
  };
}

async function openAll(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(connectBatch, count - sockets.length) }, () => open(port));
    await Promise.all(some.map((socket) => new Promise((resolve) => socket.once("connect", resolve).once("close", resolve))));
    sockets.push(...some);
  }
  return sockets;
}

function open(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  // The service is expected to end abusive connections.
  socket.on("error", () => {}).resume();
  return socket;
}

function destroyAll(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}

if (import.meta.main) {
  const [name, count, port] = process.argv.slice(2);
  await kinds[name as AbuseName](Number(port), Number(count));
  process.once("disconnect", () => process.exit());
  process.send?.("started");
}
