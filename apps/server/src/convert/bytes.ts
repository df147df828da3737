/** Bytes as Buffers and as text (D-07, D-37). */

/** The same bytes as a Buffer, without a copy. */
export function bytesOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Standard base64 with padding; empty for undefined. */
export function base64(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : bytesOf(bytes).toString("base64");
}
