/** Ed25519 in JavaScript, loaded where WebCrypto does not have it. */
import { hashes, verify } from "@noble/ed25519";

type Sha512 = (bytes: Uint8Array) => Uint8Array<ArrayBuffer>;

/**
 * Verifies signatures by the strict rules, as WebCrypto does. The page can react between two of them.
 *
 * @param sha512 - Passed, because bundlers would make a third file of what this one and the others import.
 */
export function verifierWith(
  sha512: Sha512,
): (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => Promise<boolean> {
  hashes.sha512 = sha512;
  return async (signature, message, publicKey) => {
    await new Promise((resolve) => setTimeout(resolve));
    return verify(signature, message, publicKey, { zip215: false });
  };
}
