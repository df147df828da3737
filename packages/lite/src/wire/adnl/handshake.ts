/**
 * Ed25519 keys that agree on a secret by X25519, and the handshake: the first 256 bytes of a connection, which carry the keys of two
 * AES-256-CTR streams.
 */
import {
  type Cipheriv,
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hash,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { LiteError } from "../lite-error.ts";

/** Bytes of a handshake: key id 32, client's key 32, SHA-256 of the parameters 32, the parameters encrypted 160. */
export const HANDSHAKE_BYTES = 256;
const PARAMETER_BYTES = 160;

export interface AdnlStreams {
  readonly receive: Cipheriv;
  readonly send: Cipheriv;
}

export interface HandshakeRandom {
  /** Used for one connection. */
  readonly key: AdnlKey;
  /** 160 bytes. */
  readonly parameters: Uint8Array;
}

/** Writes the client's half. */
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

/** Reads the client's half. @throws LiteError of kind "protocol" if it is for another key, or damaged. */
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

/** A private key. */
export interface AdnlKey {
  /** The Ed25519 key, 32 bytes. */
  readonly publicKey: Uint8Array;
  /**
   * The shared secret of both sides of a connection, 32 bytes.
   *
   * @throws LiteError of kind "protocol" for a public key of small order.
   */
  agree(publicKey: Uint8Array): Uint8Array;
}

const derPrefix = {
  ed25519: Buffer.from("302e020100300506032b657004220420", "hex"),
  x25519: Buffer.from("302e020100300506032b656e04220420", "hex"),
  x25519Public: Buffer.from("302a300506032b656e032100", "hex"),
};

/**
 * The key of an Ed25519 seed.
 *
 * @example
 * ```ts
 * const key = adnlKey(randomBytes(32));
 * ```
 */
export function adnlKey(seed: Uint8Array): AdnlKey {
  if (seed.length !== 32) throw new RangeError(`seed must be 32 bytes, got ${seed.length} bytes`);
  const publicKey = createPublicKey(privateKey("ed25519", seed)).export({ format: "der", type: "spki" });
  return adnlKeyOfScalar(hash("sha512", seed, "buffer").subarray(0, 32), publicKey.subarray(-32));
}

/** The key of an X25519 scalar, whose Ed25519 public key is known. */
export function adnlKeyOfScalar(scalar: Uint8Array, publicKey: Uint8Array): AdnlKey {
  const own = privateKey("x25519", scalar);
  return {
    publicKey,
    agree(theirs) {
      const key = Buffer.concat([derPrefix.x25519Public, toX25519(theirs)]);
      try {
        return diffieHellman({ privateKey: own, publicKey: createPublicKey({ key, format: "der", type: "spki" }) });
      } catch (error) {
        throw new LiteError("protocol", "ADNL: the other side's public key gives no secret", { cause: error });
      }
    },
  };
}

/**
 * The name of a public key: SHA-256 of TL `pub.ed25519 key:int256`.
 *
 * @example
 * ```ts
 * const name = Buffer.from(adnlKeyId(publicKey)).toString("hex").slice(0, 8);
 * ```
 */
export function adnlKeyId(publicKey: Uint8Array): Uint8Array {
  return hash("sha256", Buffer.concat([Buffer.from("c6b41348", "hex"), publicKey]), "buffer");
}

const prime = 2n ** 255n - 19n;

/** The Montgomery form u = (1 + y) / (1 - y) of an Edwards point; the sign bit of x has no influence. */
export function toX25519(ed25519: Uint8Array): Uint8Array {
  const y = BigInt.asUintN(255, BigInt(`0x${Buffer.from(ed25519).reverse().toString("hex")}`));
  const u = ((1n + y) * inverse(1n - y)) % prime;
  return Buffer.from(u.toString(16).padStart(64, "0"), "hex").reverse();
}

/** By Euclid's algorithm; 0 for 0. */
function inverse(value: bigint): bigint {
  let [last, rest] = [prime, positive(value)];
  let [lastFactor, factor] = [0n, 1n];
  while (rest !== 0n) {
    const quotient = last / rest;
    [last, rest] = [rest, last - quotient * rest];
    [lastFactor, factor] = [factor, lastFactor - quotient * factor];
  }
  return positive(lastFactor);
}

function positive(value: bigint): bigint {
  const rest = value % prime;
  return rest < 0n ? rest + prime : rest;
}

function privateKey(curve: "ed25519" | "x25519", bytes: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([derPrefix[curve], bytes]), format: "der", type: "pkcs8" });
}
