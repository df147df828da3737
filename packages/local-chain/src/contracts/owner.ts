import { createPrivateKey, createPublicKey, sign } from "node:crypto";

/** A pair of keys that wallets belong to. */
export interface Owner {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Ed25519 signature, 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** What stands before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** The owner whose private key is these 32 bytes. */
export function owner(privateKey: Uint8Array): Owner {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, privateKey]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  return { publicKey: new Uint8Array(publicKey), sign: (bytes) => sign(null, bytes, key) };
}
