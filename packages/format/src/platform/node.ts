/** SHA-2 and texts of bytes by Node.js, Bun and Deno. `web.ts` and `sha512.ts` have the same functions; the imports of package.json select. */
import { hash } from "node:crypto";

/** SHA-256, 32 bytes. Of a cell's representation it is the cell's hash, of a block's bag of cells the block's file hash. */
export function sha256(bytes: Uint8Array): Uint8Array {
  // As a string first: a Buffer for each of millions of hashes takes twice the time and three times the memory.
  const text = hash("sha256", bytes, "binary");
  const digest = new Uint8Array(32);
  for (let i = 0; i < 32; i++) digest[i] = text.charCodeAt(i);
  return digest;
}

/** SHA-512, 64 bytes. */
export function sha512(bytes: Uint8Array): Uint8Array {
  return hash("sha512", bytes, "buffer");
}

/**
 * Bytes as a binary string: one character per byte, as of `atob`. A hash takes 60 bytes of memory in this form and 400 as a
 * Uint8Array, and strings can be keys of a Map.
 */
export function toBinaryString(bytes: Uint8Array): string {
  return bufferOf(bytes).toString("latin1");
}

/** Bytes in hexadecimal digits; empty for undefined. */
export function hex(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : bufferOf(bytes).toString("hex");
}

/** Bytes in standard base64 with padding; empty for undefined. */
export function base64(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : bufferOf(bytes).toString("base64");
}

/** Memory that is shared with other small arrays and not filled with zeros, for bytes that are soon copied. */
export function allocatePooled(size: number): Uint8Array {
  return Buffer.allocUnsafe(size);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
