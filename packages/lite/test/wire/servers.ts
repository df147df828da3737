import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { AdnlAddress } from "../../src/wire/adnl/connect.ts";
import { type AdnlMessage, beginFrame, endFrame, FrameReader, MAX_FRAME, readMessage } from "../../src/wire/adnl/frames.ts";
import { type AdnlKey, adnlKey, readHandshake } from "../../src/wire/adnl/handshake.ts";
import { type AdnlServer, type ServeOptions, serveAdnl } from "../../src/wire/adnl/serve.ts";
import { queries, writeAnswer } from "../../src/wire/tl/queries.ts";

export const key: AdnlKey = adnlKey(Buffer.alloc(32, 7));

interface BadSide {
  readonly socket: Socket;
  /** Encrypts and sends bytes. */
  send(bytes: Uint8Array): void;
  /** Sends a payload in a good frame. */
  sendPayload(payload: Uint8Array): void;
}

interface BadServer extends AsyncDisposable {
  readonly address: AdnlAddress;
}

export interface Badness {
  /** Instead of the handshake. */
  readonly onConnection?: (socket: Socket) => void;
  /** After the handshake; instead of the confirmation. */
  readonly onHandshake?: (side: BadSide) => void;
  readonly onMessage?: (message: AdnlMessage, side: BadSide) => void;
}

/** Completes the handshake and then runs the behaviour of a test. */
export async function badServer({ onConnection, onHandshake, onMessage }: Badness): Promise<BadServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    if (onConnection) return onConnection(socket);
    socket.once("data", (handshake) => {
      const streams = readHandshake(handshake.subarray(0, 256), key);
      const send = (bytes: Uint8Array) => void socket.write(streams.send.update(bytes));
      const side = { socket, send, sendPayload: (payload: Uint8Array) => send(endFrame(beginFrame(0).raw(payload))) };
      const reader = new FrameReader(MAX_FRAME, (payload) => onMessage?.(readMessage(payload), side));
      socket.on("data", (chunk) => reader.push(streams.receive.update(chunk)));
      if (onHandshake) onHandshake(side);
      else side.sendPayload(new Uint8Array(0));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: { host: "127.0.0.1", port, publicKey: key.publicKey },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

/** Flips a bit of a byte, in place. */
export function flipBit<Bytes extends Uint8Array>(bytes: Bytes, byte: number): Bytes {
  bytes.set([(bytes[byte] ?? 0) ^ 1], byte);
  return bytes;
}

export const bytes: Uint8Array = queries.getTime().bytes;
export const time: Uint8Array = writeAnswer("getTime", { now: 5 });
export const soon = (): AbortSignal => AbortSignal.timeout(60_000);

interface TimeServer extends AsyncDisposable {
  readonly server: AdnlServer;
  readonly address: AdnlAddress;
}

/** Answers only `getTime`. */
export async function serve(options: Partial<ServeOptions> = {}): Promise<TimeServer> {
  const server = await serveAdnl({ key, port: 0, onQuery: () => time, ...options });
  return {
    server,
    address: { host: "127.0.0.1", port: server.port, publicKey: key.publicKey },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
