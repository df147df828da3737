import { createPrivateKey, createPublicKey, sign } from "node:crypto";

/** The key pair of a wallet's owner. */
export interface Owner {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Ed25519 signature, 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** PKCS #8 prefix of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** @param privateKey - 32 bytes. */
export function owner(privateKey: Uint8Array): Owner {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, privateKey]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  return { publicKey: new Uint8Array(publicKey), sign: (bytes) => sign(null, bytes, key) };
}
