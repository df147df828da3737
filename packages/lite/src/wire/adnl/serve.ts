import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { LiteError } from "../lite-error.ts";
import type { TlWriter } from "../tl/bytes.ts";
import { writeError } from "../tl/queries.ts";
import { Channel } from "./channel.ts";
import { answerFrame, beginFrame, endFrame, pingFrame, readLiteServerQuery, readMessage } from "./frames.ts";
import { type AdnlKey, HANDSHAKE_BYTES, readHandshake } from "./handshake.ts";

/** Answers the bytes of a function, see `readQuery`. Undefined sends no answer. */
export type OnQuery = (bytes: Uint8Array, signal: AbortSignal) => Promise<Uint8Array | undefined> | Uint8Array | undefined;

/** Options of `serveAdnl`. */
export interface ServeOptions {
  readonly key: AdnlKey;
  /** 0 for a free one. */
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** The signal aborts when the client's connection ends. If it throws, the answer is an error with code 602. */
  readonly onQuery: OnQuery;
  /** Receives the errors of `onQuery`. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Replaces frames before encryption, for tests with violations of the protocol. */
  readonly changeFrame?: ((frame: Uint8Array) => Uint8Array) | undefined;
  /** More connections are closed at once; default: 1000. */
  readonly maxConnections?: number | undefined;
  /** Queries of a connection that are answered at once, the others wait; default: 64. */
  readonly maxInFlight?: number | undefined;
  /** Milliseconds without a frame after which a connection is closed; default: 60,000. */
  readonly idleTimeout?: number | undefined;
}

/** Bytes. Longer frames of a client close its connection. */
const LONGEST_FRAME = 2 ** 16;

/** A running server. */
export interface AdnlServer {
  readonly port: number;
  readonly connections: number;
  /** Ends all connections. */
  close(): Promise<void>;
}

/**
 * Serves ADNL over TCP: handshake, frames and pings. A violation of the protocol ends only its own connection.
 *
 * @example
 * ```ts
 * const server = await serveAdnl({
 *   key: adnlKey(seed),
 *   port: 4443,
 *   onQuery: (bytes) => (readQuery(bytes).name === "getTime" ? writeAnswer("getTime", { now }) : writeError(621, "unknown")),
 * });
 * ```
 */
export async function serveAdnl(options: ServeOptions): Promise<AdnlServer> {
  const sessions = new Set<Session>();
  const server: Server = createServer({ noDelay: true }, (socket) => {
    const session = new Session(socket, options, () => sessions.delete(session));
    sessions.add(session);
  });
  server.maxConnections = options.maxConnections ?? 1000;
  const { idleTimeout = 60_000 } = options;
  const timer = setInterval(() => {
    for (const session of sessions) session.endIfIdle(idleTimeout);
  }, idleTimeout / 4).unref();

  server.listen(options.port, options.host ?? "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    get connections() {
      return sessions.size;
    },
    async close() {
      clearInterval(timer);
      const closed = once(server, "close");
      server.close();
      for (const session of sessions) session.end();
      await closed;
    },
  };
}

interface Query {
  readonly id: Uint8Array;
  readonly bytes: Uint8Array;
}

class Session {
  readonly #socket: Socket;
  readonly #options: ServeOptions;
  readonly #onEnd: () => void;
  readonly #ended = new AbortController();
  readonly #started = performance.now();
  readonly #waiting: Query[] = [];
  #handshake: Uint8Array = new Uint8Array(0);
  #channel: Channel | undefined;
  #inFlight = 0;

  constructor(socket: Socket, options: ServeOptions, onEnd: () => void) {
    this.#socket = socket;
    this.#options = options;
    this.#onEnd = onEnd;
    socket.on("data", this.#onHandshake);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#close());
  }

  end(): void {
    this.#socket.destroy();
  }

  endIfIdle(timeout: number): void {
    if (performance.now() - (this.#channel?.lastFrame ?? this.#started) >= timeout) this.end();
  }

  #onHandshake = (chunk: Uint8Array): void => {
    this.#handshake = Buffer.concat([this.#handshake, chunk]);
    if (this.#handshake.length < HANDSHAKE_BYTES) return;
    this.#socket.off("data", this.#onHandshake);
    try {
      this.#channel = new Channel(this.#socket, {
        streams: readHandshake(this.#handshake.subarray(0, HANDSHAKE_BYTES), this.#options.key),
        maxFrame: LONGEST_FRAME,
        onPayload: (payload) => this.#receive(payload),
        onDrain: () => this.#answerWaiting(),
        onClose: () => this.#close(),
      });
    } catch {
      this.end();
      return;
    }
    this.#send(beginFrame(0));
    this.#channel.push(this.#handshake.subarray(HANDSHAKE_BYTES));
  };

  #receive(payload: Uint8Array): void {
    const message = readMessage(payload);
    switch (message.type) {
      case "query": {
        const bytes = readLiteServerQuery(message.data);
        // Lite servers ignore other queries.
        if (bytes === undefined) return;
        this.#waiting.push({ id: message.id, bytes });
        this.#answerWaiting();
        return;
      }
      case "ping":
        this.#send(pingFrame("pong", message.id));
        return;
      case "authentication":
      case "confirmation":
        return;
      default:
        throw new LiteError("protocol", `ADNL: ${message.type} from a client`);
    }
  }

  /** Pauses reading while queries wait. */
  #answerWaiting(): void {
    const channel = this.#channel;
    if (channel === undefined) return;
    while (this.#inFlight < (this.#options.maxInFlight ?? 64) && !channel.isFull) {
      const query = this.#waiting.shift();
      if (query === undefined) break;
      void this.#answer(query);
    }
    channel.isPaused = this.#waiting.length > 0;
  }

  async #answer({ id, bytes }: Query): Promise<void> {
    this.#inFlight++;
    try {
      const answer = await this.#options.onQuery(bytes, this.#ended.signal);
      if (answer !== undefined) this.#send(answerFrame(id, answer));
    } catch (error) {
      this.#send(answerFrame(id, writeError(602, "internal error")));
      if (!this.#ended.signal.aborted) this.#options.onError?.(error);
    }
    this.#inFlight--;
    this.#answerWaiting();
  }

  #send(writer: TlWriter): void {
    const frame = endFrame(writer);
    this.#channel?.send(this.#options.changeFrame?.(frame) ?? frame);
  }

  #close(): void {
    this.#waiting.length = 0;
    this.#ended.abort();
    this.#onEnd();
  }
}
