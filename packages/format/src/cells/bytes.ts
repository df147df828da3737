/** Hashes, checksums and compact strings of bytes. */
import { hash } from "node:crypto";

/** SHA-256, 32 bytes. Of a cell's representation it is the cell's hash, of a block's bag of cells the block's file hash. */
export function sha256(bytes: Uint8Array): Uint8Array {
  // As a string first: a Buffer for each of millions of hashes takes twice the time and three times the memory.
  return fromBinaryString(hash("sha256", bytes, "binary"));
}

/**
 * Bytes as a binary string: one character per byte, as of `atob`. A hash takes 60 bytes of memory in this form and 400 as a
 * Uint8Array, and strings can be keys of a Map.
 */
export function toBinaryString(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** The bytes `from` … `to` of a binary string. */
export function fromBinaryString(text: string, from = 0, to: number = text.length): Uint8Array {
  const bytes = new Uint8Array(to - from);
  for (let i = from; i < to; i++) bytes[i - from] = text.charCodeAt(i);
  return bytes;
}

/** The bits of Castagnoli's polynomial in reverse order. */
const POLYNOMIAL = 0x82f63b78;

const CRC_TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let i = 0; i < 8; i++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** CRC-32C, the checksum of a bag of cells. `node:zlib` has CRC-32 with another polynomial. */
export function crc32c(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) {
    rest = (CRC_TABLE[(rest ^ (bytes[i] as number)) & 0xff] as number) ^ (rest >>> 8);
  }
  return (rest ^ 0xffffffff) >>> 0;
}

/** Bytes in hexadecimal digits; empty for undefined. */
export function hex(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Whether bytes are equal, such as two hashes. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
