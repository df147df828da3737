/** SHA-512 and Ed25519 in JavaScript, loaded where WebCrypto does not have them. They share no module with the rest, or bundlers made three files. */
import { sha512 } from "@chain-query/format/sha512";
import { hashes, verify } from "@noble/ed25519";

export { sha512 };

hashes.sha512 = sha512;

/** Verifies a signature by the strict rules, as WebCrypto does. The page can react between two of them. */
export async function isSignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve));
  return verify(signature, message, publicKey, { zip215: false });
}
