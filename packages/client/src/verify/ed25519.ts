/** Verifies Ed25519 signatures by WebCrypto or, in browsers without the algorithm and on pages that are not secure, in JavaScript. */

type Verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => Promise<boolean>;

const NAME = "Ed25519";

const verifyByPlatform: Verify = async (signature, message, publicKey) => {
  const key = await crypto.subtle.importKey("raw", bufferOf(publicKey), NAME, false, ["verify"]);
  return crypto.subtle.verify(NAME, key, bufferOf(signature), bufferOf(message));
};

/** The types of WebCrypto exclude shared memory. */
function bufferOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

let chosen: Promise<Verify> | undefined;

async function choose(): Promise<Verify> {
  const base = new Uint8Array(32).fill(0x66).fill(0x58, 0, 1);
  const isSupported = await globalThis.crypto?.subtle?.importKey("raw", base, NAME, false, ["verify"]).then(
    () => true,
    () => false,
  );
  return isSupported ? verifyByPlatform : (await import("./ed25519-script.ts")).verifyByScript;
}

/** Whether a signature of 64 bytes is valid. */
export async function isSignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean> {
  chosen ??= choose();
  const verify = await chosen;
  // Bytes that are no key are an error in some engines.
  return verify(signature, message, publicKey).catch(() => false);
}
