/** The messages of a connection, and the envelope of a lite server's functions. */
import { LiteError } from "../lite-error.ts";
import { sizeOfBytes, TlReader, type TlWriter } from "../tl/bytes.ts";
import { beginFrame, MAX_FRAME } from "./frames.ts";

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
