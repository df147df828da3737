/** Hashes, checksums and compact strings of bytes. */
export { base64, hex, sha256, toBinaryString } from "#platform";

/** The bytes `from` … `to` of a binary string. */
export function fromBinaryString(text: string, from = 0, to: number = text.length): Uint8Array {
  const bytes = new Uint8Array(to - from);
  for (let i = from; i < to; i++) bytes[i - from] = text.charCodeAt(i);
  return bytes;
}

/** The bits of Castagnoli's polynomial in reverse order. */
const POLYNOMIAL = 0x82f63b78;

const CRC_TABLE: Uint32Array = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
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

/** Whether bytes are equal, such as two hashes. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The order of bytes: that of the first byte that differs; a start of other bytes comes before them. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number);
  return a.length - b.length;
}

/** The bytes of several arrays, one after another. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
