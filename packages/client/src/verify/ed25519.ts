/** Ed25519 in JavaScript, loaded where WebCrypto does not have it. */
import { sha512 } from "@chain-query/format/sha512";
import { hashes, verify } from "@noble/ed25519";

export { sha512 };

hashes.sha512 = sha512;

/** The strict rules, as those of WebCrypto. The page can react between two signatures. */
export async function verifyInScript(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve));
  return verify(signature, message, publicKey, { zip215: false });
}
