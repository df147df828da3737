/** SHA-512 and Ed25519 by WebCrypto or, in browsers without the algorithm and on pages that are not secure, in JavaScript. */

import { sha512 as sha512InScript } from "@chain-query/format/sha512";

type Verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => Promise<boolean>;

const NAME = "Ed25519";
/** Absent on pages that are not secure. */
const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;

export async function sha512(bytes: Uint8Array): Promise<Uint8Array> {
  return subtle ? new Uint8Array(await subtle.digest("SHA-512", bufferOf(bytes))) : sha512InScript(bytes);
}

/** The types of WebCrypto exclude shared memory. */
function bufferOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

let chosen: Promise<Verify> | undefined;

async function choose(): Promise<Verify> {
  const importKey = (publicKey: Uint8Array) => subtle?.importKey("raw", bufferOf(publicKey), NAME, false, ["verify"]);
  // The base point, which is a key.
  const basePoint = new Uint8Array(32).fill(0x66).fill(0x58, 0, 1);
  const isSupported = await importKey(basePoint)?.then(
    () => true,
    () => false,
  );
  if (!subtle || !isSupported) return (await import("./ed25519.ts")).verifierWith(sha512InScript);
  return async (signature, message, publicKey) => {
    const key = await importKey(publicKey);
    return key !== undefined && subtle.verify(NAME, key, bufferOf(signature), bufferOf(message));
  };
}

/** Whether a signature of 64 bytes is valid. */
export async function isSignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean> {
  chosen ??= choose();
  const verify = await chosen;
  // Bytes that are no key are an error in some engines.
  return verify(signature, message, publicKey).catch(() => false);
}
