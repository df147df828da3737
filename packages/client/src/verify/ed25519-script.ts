/** Loaded only where WebCrypto has no Ed25519. */
import { hashes, verify } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";

hashes.sha512 = sha512;

/** The strict rules, as those of WebCrypto. Lets the page react between two signatures. */
export async function verifyByScript(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve));
  return verify(signature, message, publicKey, { zip215: false });
}
