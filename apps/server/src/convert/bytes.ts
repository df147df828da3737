/** Bytes and their texts (D-07, D-37). */

/** The same bytes as a Buffer, without a copy. */
export function bytesOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Standard base64 with padding; empty for no bytes. */
export function base64(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : bytesOf(bytes).toString("base64");
}

/** The bytes of a hash that is given as 64 hexadecimal or 44 base64 characters of either alphabet, which the schema has checked. */
export function hashIn(text: string): Uint8Array {
  return text.length === 64 ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
}

/** Whether two hashes are the same. */
export function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return bytesOf(a).equals(b);
}
