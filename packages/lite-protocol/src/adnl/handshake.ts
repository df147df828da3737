/** The first 256 bytes of a connection: they carry the keys of two AES-256-CTR streams. */
import { type Cipheriv, createCipheriv, hash, randomBytes } from "node:crypto";
import { LiteError } from "../lite-error.ts";
import { type AdnlKey, adnlKey, adnlKeyId } from "./keys.ts";

/** Bytes of a handshake: key id 32, client's key 32, SHA-256 of the parameters 32, the parameters encrypted 160. */
export const HANDSHAKE_BYTES = 256;
const PARAMETER_BYTES = 160;

/** The ciphers of one side. */
export interface AdnlStreams {
  readonly receive: Cipheriv;
  readonly send: Cipheriv;
}

/** Random values of a client. */
export interface HandshakeRandom {
  /** Used for one connection. */
  readonly key: AdnlKey;
  /** 160 bytes. */
  readonly parameters: Uint8Array;
}

/**
 * Writes the client's half.
 *
 * @example
 * const { packet, streams } = writeHandshake(serverKey);
 * socket.write(packet);
 * socket.write(streams.send.update(endFrame(beginFrame(0))));
 */
export function writeHandshake(
  serverKey: Uint8Array,
  { key, parameters }: HandshakeRandom = { key: adnlKey(randomBytes(32)), parameters: randomBytes(PARAMETER_BYTES) },
): { readonly packet: Uint8Array; readonly streams: AdnlStreams } {
  const checksum = hash("sha256", parameters, "buffer");
  const encrypted = parameterCipher(key.agree(serverKey), checksum).update(parameters);
  return {
    packet: Buffer.concat([adnlKeyId(serverKey), key.publicKey, checksum, encrypted]),
    streams: { receive: stream(parameters, 0), send: stream(parameters, 1) },
  };
}

/**
 * Reads the client's half.
 *
 * @throws LiteError of kind "protocol" if it is for another key, or damaged.
 * @example
 * const streams = readHandshake(packet, adnlKey(seed));
 */
export function readHandshake(packet: Uint8Array, key: AdnlKey): AdnlStreams {
  if (!adnlKeyId(key.publicKey).every((byte, at) => byte === packet[at])) {
    throw new LiteError("protocol", "ADNL: the handshake is for another key");
  }
  const checksum = packet.subarray(64, 96);
  const parameters = parameterCipher(key.agree(packet.subarray(32, 64)), checksum).update(packet.subarray(96, HANDSHAKE_BYTES));
  if (!hash("sha256", parameters, "buffer").equals(checksum)) {
    throw new LiteError("protocol", "ADNL: the handshake has a wrong checksum");
  }
  return { receive: stream(parameters, 1), send: stream(parameters, 0) };
}

function parameterCipher(secret: Uint8Array, checksum: Uint8Array): Cipheriv {
  const key = Buffer.concat([secret.subarray(0, 16), checksum.subarray(16, 32)]);
  return createCipheriv("aes-256-ctr", key, Buffer.concat([checksum.subarray(0, 4), secret.subarray(20, 32)]));
}

/** The first stream goes to the client, the second to the server. */
function stream(parameters: Uint8Array, index: 0 | 1): Cipheriv {
  const key = parameters.subarray(32 * index, 32 * index + 32);
  return createCipheriv("aes-256-ctr", key, parameters.subarray(64 + 16 * index, 80 + 16 * index));
}
