/** SHA-512 and Ed25519 by WebCrypto or, in browsers without the algorithm and on pages that are not secure, in JavaScript. */

/** The types of WebCrypto exclude shared memory. */
type Bytes = Uint8Array<ArrayBuffer>;

/** Absent on pages that are not secure. */
const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;

export async function sha512(bytes: Uint8Array): Promise<Uint8Array> {
  return subtle ? new Uint8Array(await subtle.digest("SHA-512", bytes as Bytes)) : (await import("./ed25519.ts")).sha512(bytes);
}

/** Whether a signature of 64 bytes is valid. */
export async function isSignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean> {
  try {
    if (subtle) {
      const key = await subtle.importKey("raw", publicKey as Bytes, "Ed25519", false, ["verify"]);
      return await subtle.verify("Ed25519", key, signature as Bytes, message as Bytes);
    }
  } catch {
    // WebCrypto does not have the algorithm, or the bytes are no key, which the script decides, too.
  }
  const script = await import("./ed25519.ts");
  return script.isSignature(signature, message, publicKey).catch(() => false);
}
