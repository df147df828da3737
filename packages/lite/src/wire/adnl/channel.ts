import type { Socket } from "node:net";
import { LiteError } from "../lite-error.ts";
import { FrameReader } from "./frames.ts";
import type { AdnlStreams } from "./handshake.ts";

interface ChannelOptions {
  readonly streams: AdnlStreams;
  readonly maxFrame: number;
  /** An error that it throws closes the channel. */
  readonly onPayload: (payload: Uint8Array) => void;
  /** Called when the channel is no longer full. */
  readonly onDrain?: () => void;
  /** Called once. The error is undefined after `close()`. */
  readonly onClose: (error: Error | undefined) => void;
}

/** Bytes that wait for the other side to read. */
const FULL_BYTES = 2 ** 18;

/** More bytes are sent at once, so that the other side works at the same time. */
const FLUSH_BYTES = 2048;

/** Encrypted frames over a socket, after the handshake. Stops reading while the other side does not read. */
export class Channel {
  readonly #socket: Socket;
  readonly #options: ChannelOptions;
  readonly #reader: FrameReader;
  #unsent: Uint8Array[] = [];
  #unsentBytes = 0;
  #isClosed = false;
  #isPaused = false;
  /** When the last frame arrived, in milliseconds of `performance.now()`. */
  lastFrame: number = performance.now();

  constructor(socket: Socket, options: ChannelOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#reader = new FrameReader(options.maxFrame, (payload) => this.#receive(payload));
    socket.setNoDelay(true);
    socket.on("data", (chunk: Uint8Array) => this.push(chunk));
    socket.on("drain", () => {
      this.#readOrWait();
      options.onDrain?.();
    });
    socket.on("error", (error) =>
      this.close(new LiteError("unavailable", `the connection failed: ${error.message}`, { cause: error })),
    );
    for (const event of ["end", "close"]) {
      socket.on(event, () => this.close(new LiteError("unavailable", "the other side closed the connection")));
    }
  }

  /** Whether many bytes wait for the other side. */
  get isFull(): boolean {
    return this.#unsentBytes + this.#socket.writableLength > FULL_BYTES;
  }

  /** Whether reading is paused; frames that have arrived are still delivered. */
  set isPaused(isPaused: boolean) {
    this.#isPaused = isPaused;
    this.#readOrWait();
  }

  push(chunk: Uint8Array): void {
    if (this.#isClosed) return;
    try {
      this.#reader.push(this.#options.streams.receive.update(chunk));
    } catch (error) {
      this.close(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Sends a frame, together with other small frames of the same event-loop tick. */
  send(frame: Uint8Array): void {
    this.#unsentBytes += frame.length;
    if (this.#unsent.push(frame) === 1) process.nextTick(() => this.#flush());
    if (this.#unsentBytes >= FLUSH_BYTES) this.#flush();
  }

  close(error?: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unsent = [];
    this.#socket.destroy();
    this.#options.onClose(error);
  }

  #receive(payload: Uint8Array): void {
    // Ignore frames after the channel was closed.
    if (this.#isClosed) return;
    this.lastFrame = performance.now();
    this.#options.onPayload(payload);
  }

  #flush(): void {
    if (this.#isClosed) return;
    const [first, ...others] = this.#unsent;
    if (first === undefined) return;
    const bytes = others.length === 0 ? first : Buffer.concat(this.#unsent, this.#unsentBytes);
    this.#unsent = [];
    this.#unsentBytes = 0;
    this.#socket.write(this.#options.streams.send.update(bytes));
    this.#readOrWait();
  }

  #readOrWait(): void {
    if (this.#isPaused || this.isFull) this.#socket.pause();
    else this.#socket.resume();
  }
}
