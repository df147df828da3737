/** What ill-behaved callers do, for as long as they are not disposed of. */
import { connect, type Socket } from "node:net";

/** Somebody who disturbs. */
export interface Disturbance extends Disposable {
  /** How many connections were made, or requests begun, so far. */
  readonly size: () => number;
  /** How many of those the service has ended. */
  readonly ended: () => number;
}

type Disturb = (port: number, count: number) => Promise<Disturbance>;

const atOnce = 500;
const dripPause = 300;
const slowHead = "GET /api/v2/getMasterchainInfo HTTP/1.1\r\nhost: x\r\nx-slow: ";

/** Connections that are opened and left alone. */
export const idling: Disturb = async (port, count) => {
  const sockets = await openAll(port, count);
  return {
    size: () => sockets.length,
    ended: () => sockets.filter(({ writable }) => !writable).length,
    [Symbol.dispose]: () => destroyAll(sockets),
  };
};

/** Requests of which a byte comes now and then; where the service ends one, another begins. */
export const dripping: Disturb = async (port, count) => {
  const lines = (await openAll(port, count)).map((socket) => ({ socket, sent: 0 }));
  let ended = 0;
  const timer = setInterval(() => {
    for (const line of lines) {
      if (line.socket.writable) line.socket.write(slowHead[line.sent++] ?? "x");
      else {
        ended++;
        Object.assign(line, { socket: opened(port), sent: 0 });
      }
    }
  }, dripPause);
  return {
    size: () => count + ended,
    ended: () => ended,
    [Symbol.dispose]() {
      clearInterval(timer);
      destroyAll(lines.map(({ socket }) => socket));
    },
  };
};

/** Bodies of two megabytes, one after another on so many connections. */
export const largeBodies: Disturb = (port, count) => {
  const body = Buffer.alloc(2 * 2 ** 20, "x");
  const head = `POST /api/v2/lookupBlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  return repeating(port, count, [Buffer.from(head), body]);
};

/** Heads of a megabyte, one after another on so many connections. */
export const headerBombs: Disturb = (port, count) => {
  const head = `GET /api/v2/getMasterchainInfo HTTP/1.1\r\nhost: x\r\n${`x-bomb: ${"x".repeat(1000)}\r\n`.repeat(1000)}\r\n`;
  return repeating(port, count, [Buffer.from(head)]);
};

async function repeating(port: number, count: number, pieces: readonly Buffer[]): Promise<Disturbance> {
  let stopped = false;
  let sent = 0;
  let ended = 0;
  const sockets = new Set<Socket>();
  const once = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = opened(port);
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
      while (!stopped) await once();
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
    const some = Array.from({ length: Math.min(atOnce, count - sockets.length) }, () => opened(port));
    await Promise.all(some.map((socket) => new Promise((resolve) => socket.once("connect", resolve).once("close", resolve))));
    sockets.push(...some);
  }
  return sockets;
}

function opened(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  // That the service ends it is what is wanted of the service.
  socket.on("error", () => {}).resume();
  return socket;
}

function destroyAll(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}
