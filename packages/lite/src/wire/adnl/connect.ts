import { randomBytes } from "node:crypto";
import { createConnection } from "node:net";
import { LiteError } from "../lite-error.ts";
import { Channel } from "./channel.ts";
import { type AdnlMessage, endFrame, MAX_FRAME, pingFrame, queryFrame, readMessage } from "./frames.ts";
import { writeHandshake } from "./handshake.ts";

/** A connection to one lite server. */
export interface Connection {
  /**
   * Sends the bytes of a `LiteQuery`, and resolves with the bytes of its answer. Adds the envelopes `adnl.message.query` and
   * `liteServer.query`.
   *
   * @throws LiteError of kind "unavailable" if the connection ends, "protocol" if the server breaks the protocol.
   * @throws The reason of the signal, when it aborts.
   */
  query(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
  /** Queries without an answer yet. */
  readonly inFlight: number;
  /** Resolves when the connection has ended, with the reason; undefined after `close`. */
  readonly closed: Promise<Error | undefined>;
  close(): void;
}

/** A lite server. */
export interface AdnlAddress {
  readonly host: string;
  readonly port: number;
  /** Its Ed25519 key, 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** Options of a connection. */
export interface ConnectOptions {
  /** Ends the attempt. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the server has confirmed the handshake; default: 3000. */
  readonly timeout?: number | undefined;
  /** Idle milliseconds before a ping; after twice as many the connection is closed. Default: 10,000. */
  readonly keepAlive?: number | undefined;
  /** Longer frames of the server close the connection; default: 2^24 bytes, the longest of the protocol. */
  readonly maxFrame?: number | undefined;
}

/**
 * Connects to a lite server.
 *
 * @throws LiteError of kind "unavailable" if the server cannot be reached or does not confirm the handshake, for example because it has
 * another key; "protocol" if it breaks the protocol.
 * @throws The reason of the signal, when it aborts.
 * @example
 * ```ts
 * import { connect, queries } from "@chain-query/lite/wire";
 *
 * const connection = await connect({ host: "127.0.0.1", port: 4443, publicKey });
 * const query = queries.getMasterchainInfo();
 * const { last } = query.read(await connection.query(query.bytes, AbortSignal.timeout(3000)));
 * connection.close();
 * ```
 */
export async function connect(server: AdnlAddress, options: ConnectOptions = {}): Promise<Connection> {
  const { signal, timeout = 3000 } = options;
  signal?.throwIfAborted();
  const connection = new ClientConnection(server, options);
  const abort = () => connection.close(signal?.reason);
  const timer = setTimeout(() => connection.close(new LiteError("unavailable", `no handshake within ${timeout} ms`)), timeout);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    await connection.confirmed;
    return connection;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

interface Pending {
  resolve(answer: Uint8Array): void;
  reject(reason: unknown): void;
}

/** Cancelled queries without an answer that end a connection. */
const MAX_ABANDONED = 10_000;

class ClientConnection implements Connection {
  readonly #channel: Channel;
  readonly #keepAlive: number;
  readonly #keepAliveTimer: NodeJS.Timeout;
  readonly #pending = new Map<number, Pending>();
  /** Cancelled queries; their answers may still arrive. */
  readonly #abandoned = new Set<number>();
  /** An id is the number of the query and these bytes. */
  readonly #idSuffix = randomBytes(28);
  readonly #confirmed = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<Error | undefined>();
  readonly confirmed: Promise<void> = this.#confirmed.promise;
  readonly closed: Promise<Error | undefined> = this.#closed.promise;
  #isConfirmed = false;
  #endedBy: Error | undefined;
  #queries = 0;
  #pings = 0n;
  #unansweredPing: bigint | undefined;

  constructor({ host, port, publicKey }: AdnlAddress, { keepAlive = 10_000, maxFrame = MAX_FRAME }: ConnectOptions) {
    const { packet, streams } = writeHandshake(publicKey);
    const socket = createConnection({ host, port });
    this.#channel = new Channel(socket, {
      streams,
      maxFrame,
      onPayload: (payload) => this.#receive(readMessage(payload)),
      onClose: (error) => this.#end(error),
    });
    socket.write(packet);
    this.#keepAlive = keepAlive;
    this.#keepAliveTimer = setInterval(() => this.#checkIdle(), keepAlive / 2).unref();
  }

  get inFlight(): number {
    return this.#pending.size;
  }

  query(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#endedBy !== undefined) throw this.#endedBy;
      const number = this.#queries++;
      const abandon = () => {
        this.#pending.delete(number);
        this.#abandoned.add(number);
        reject(signal.reason);
        if (this.#abandoned.size > MAX_ABANDONED)
          this.close(new LiteError("unavailable", `${MAX_ABANDONED} queries without answer`));
      };
      signal.addEventListener("abort", abandon, { once: true });
      const settled = () => signal.removeEventListener("abort", abandon);
      this.#pending.set(number, {
        resolve(answer) {
          settled();
          resolve(answer);
        },
        reject(reason) {
          settled();
          reject(reason);
        },
      });
      this.#channel.send(endFrame(queryFrame(this.#idOf(number), bytes)));
    });
  }

  close(error?: Error): void {
    this.#channel.close(error);
  }

  #receive(message: AdnlMessage): void {
    if (!this.#isConfirmed) {
      if (message.type !== "confirmation") throw new LiteError("protocol", `ADNL: ${message.type} instead of the confirmation`);
      this.#isConfirmed = true;
      this.#confirmed.resolve();
      return;
    }
    switch (message.type) {
      case "answer":
        this.#answer(message.id, message.data);
        return;
      case "ping":
        this.#channel.send(endFrame(pingFrame("pong", message.id)));
        return;
      case "pong":
        if (message.id !== this.#unansweredPing) throw new LiteError("protocol", "ADNL: a pong without its ping");
        this.#unansweredPing = undefined;
        return;
      default:
        throw new LiteError("protocol", `ADNL: ${message.type} from a server`);
    }
  }

  #answer(id: Uint8Array, answer: Uint8Array): void {
    const number = new DataView(id.buffer, id.byteOffset).getUint32(0, true);
    const isOurs = this.#idSuffix.equals(id.subarray(4));
    const pending = isOurs ? this.#pending.get(number) : undefined;
    if (pending !== undefined) {
      this.#pending.delete(number);
      pending.resolve(answer);
    } else if (!isOurs || !this.#abandoned.delete(number)) {
      throw new LiteError("protocol", "ADNL: an answer without its query");
    }
  }

  #checkIdle(): void {
    const idle = performance.now() - this.#channel.lastFrame;
    if (idle >= 2 * this.#keepAlive) {
      this.close(new LiteError("unavailable", `nothing received for ${Math.round(idle)} ms`));
    } else if (idle >= this.#keepAlive && this.#isConfirmed && this.#unansweredPing === undefined) {
      this.#unansweredPing = this.#pings++;
      this.#channel.send(endFrame(pingFrame("ping", this.#unansweredPing)));
    }
  }

  #end(error: Error | undefined): void {
    clearInterval(this.#keepAliveTimer);
    this.#endedBy = error ?? new LiteError("unavailable", "the connection was closed");
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(this.#endedBy);
    this.#confirmed.reject(this.#endedBy);
    this.#closed.resolve(error);
  }

  #idOf(number: number): Uint8Array {
    const id = Buffer.allocUnsafe(32);
    id.writeUInt32LE(number);
    id.set(this.#idSuffix, 4);
    return id;
  }
}
