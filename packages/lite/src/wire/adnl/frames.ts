/** Frames of a connection: length 4 (of the rest), nonce 32, payload, SHA-256 of nonce and payload 32; and the messages in them. */
import { hash, randomFillSync } from "node:crypto";
import { LiteError } from "../lite-error.ts";
import { sizeOfBytes, TlReader, TlWriter } from "../tl/bytes.ts";

/** The longest frame of the protocol. */
export const MAX_FRAME: number = 2 ** 24;
const MIN_FRAME = 64;
const NONCE_BYTES = 32;
/** A frame takes this much memory at first, and more as its bytes arrive. */
const FIRST_BYTES = 2 ** 16;

/** Begins a frame; its payload is written next, of about `payloadBytes`. */
export function beginFrame(payloadBytes: number, nonce: Uint8Array = randomNonce()): TlWriter {
  return new TlWriter(4 + MIN_FRAME + payloadBytes).uint(0).raw(nonce);
}

/** Completes a frame, see `beginFrame`. */
export function endFrame(writer: TlWriter): Uint8Array {
  const frame = writer.raw(hash("sha256", writer.finish().subarray(4), "buffer")).finish();
  new DataView(frame.buffer, frame.byteOffset).setUint32(0, frame.length - 4, true);
  return frame;
}

/** Splits a stream into frames. Each byte is copied once, or twice in frames over 64 kB. */
export class FrameReader {
  readonly #maxFrame: number;
  readonly #onPayload: (payload: Uint8Array) => void;
  readonly #lengthField = new Uint8Array(4);
  /** The current part: the length, or a frame. */
  #part: Uint8Array = this.#lengthField;
  #needed = 4;
  #filled = 0;

  constructor(maxFrame: number, onPayload: (payload: Uint8Array) => void) {
    this.#maxFrame = maxFrame;
    this.#onPayload = onPayload;
  }

  /** @throws LiteError of kind "protocol" for a length out of range or a wrong checksum; the rest of the stream cannot be read. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      const end = Math.min(at + this.#needed - this.#filled, chunk.length);
      this.#append(chunk.subarray(at, end));
      at = end;
      if (this.#filled === this.#needed) this.#complete();
    }
  }

  #append(bytes: Uint8Array): void {
    const filled = this.#filled + bytes.length;
    if (filled > this.#part.length) {
      const grown = new Uint8Array(Math.min(Math.max(filled, 2 * this.#part.length), this.#needed));
      grown.set(this.#part.subarray(0, this.#filled));
      this.#part = grown;
    }
    this.#part.set(bytes, this.#filled);
    this.#filled = filled;
  }

  #complete(): void {
    const part = this.#part;
    this.#filled = 0;
    if (part === this.#lengthField) {
      this.#needed = new DataView(part.buffer).getUint32(0, true);
      if (this.#needed < MIN_FRAME || this.#needed > this.#maxFrame) {
        throw new LiteError("protocol", `ADNL: a frame of ${this.#needed} bytes, expected ${MIN_FRAME} to ${this.#maxFrame}`);
      }
      this.#part = new Uint8Array(Math.min(this.#needed, FIRST_BYTES));
      return;
    }
    this.#part = this.#lengthField;
    this.#needed = 4;
    const end = part.length - 32;
    if (!hash("sha256", part.subarray(0, end), "buffer").equals(part.subarray(end))) {
      throw new LiteError("protocol", "ADNL: a frame has a wrong checksum");
    }
    this.#onPayload(part.subarray(NONCE_BYTES, end));
  }
}

const nonces = new Uint8Array(4096);
let nonceAt = nonces.length;

/** 32 random bytes, valid until the next call; taken from a pool, since a system call for each costs more. */
function randomNonce(): Uint8Array {
  if (nonceAt === nonces.length) {
    randomFillSync(nonces);
    nonceAt = 0;
  }
  nonceAt += NONCE_BYTES;
  return nonces.subarray(nonceAt - NONCE_BYTES, nonceAt);
}

/** A frame has 64 bytes besides its payload, an answer 40 besides its bytes. */
const MAX_ANSWER = MAX_FRAME - 64 - 40;

const ids = {
  query: 0xb48bf97a,
  answer: 0x0fac8416,
  ping: 0x4d082b9a,
  pong: 0xdc69fb03,
  authenticate: 0x445bab12,
  authenticationNonce: 0xe35d4ab6,
  authenticationComplete: 0xf7ad9ea6,
  liteServerQuery: 0x798c06df,
};

/** A message of the other side. */
export type AdnlMessage =
  | { readonly type: "query" | "answer"; readonly id: Uint8Array; readonly data: Uint8Array }
  | { readonly type: "ping" | "pong"; readonly id: bigint }
  /** An empty confirmation, or a part of the optional authentication of clients. */
  | { readonly type: "confirmation" | "authentication" };

/** @throws LiteError of kind "protocol" for anything else. */
export function readMessage(payload: Uint8Array): AdnlMessage {
  if (payload.length === 0) return { type: "confirmation" };
  const reader = new TlReader(payload);
  const message = readContent(reader.uint(), reader);
  if (message.type !== "authentication") reader.end();
  return message;
}

function readContent(id: number, reader: TlReader): AdnlMessage {
  switch (id) {
    case ids.query:
      return { type: "query", id: reader.int256(), data: reader.bytes() };
    case ids.answer:
      return { type: "answer", id: reader.int256(), data: reader.bytes() };
    case ids.ping:
      return { type: "ping", id: reader.long() };
    case ids.pong:
      return { type: "pong", id: reader.long() };
    case ids.authenticate:
    case ids.authenticationNonce:
    case ids.authenticationComplete:
      return { type: "authentication" };
    default:
      throw new LiteError("protocol", `ADNL: ${id.toString(16).padStart(8, "0")} is no message`);
  }
}

/** The bytes of the function in `liteServer.query`; undefined for other queries. */
export function readLiteServerQuery(data: Uint8Array): Uint8Array | undefined {
  const reader = new TlReader(data);
  if (reader.uint() !== ids.liteServerQuery) return undefined;
  const bytes = reader.bytes();
  reader.end();
  return bytes;
}

/** A frame with `adnl.message.query` of `liteServer.query`, not ended. */
export function queryFrame(id: Uint8Array, bytes: Uint8Array, nonce?: Uint8Array): TlWriter {
  const envelope = 4 + sizeOfBytes(bytes.length);
  return beginFrame(envelope + 44, nonce)
    .uint(ids.query)
    .raw(id)
    .beginBytes(envelope)
    .uint(ids.liteServerQuery)
    .bytes(bytes)
    .endBytes(envelope);
}

/** A frame with `adnl.message.answer`, not ended. */
export function answerFrame(id: Uint8Array, bytes: Uint8Array, nonce?: Uint8Array): TlWriter {
  if (bytes.length > MAX_ANSWER)
    throw new RangeError(`an answer must be ${MAX_ANSWER} bytes or less, got ${bytes.length} bytes`);
  return beginFrame(bytes.length + 44, nonce)
    .uint(ids.answer)
    .raw(id)
    .bytes(bytes);
}

/** A frame with `tcp.ping` or `tcp.pong`, not ended. */
export function pingFrame(type: "ping" | "pong", id: bigint, nonce?: Uint8Array): TlWriter {
  return beginFrame(12, nonce).uint(ids[type]).long(id);
}
