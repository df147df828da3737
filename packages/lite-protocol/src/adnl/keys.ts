/** Keys of lite servers and clients: Ed25519 keys that agree on a secret by X25519. */
import { createPrivateKey, createPublicKey, diffieHellman, hash, type KeyObject } from "node:crypto";
import { LiteError } from "../lite-error.ts";

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
