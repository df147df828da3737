/** Castagnoli's polynomial, bits reversed. */
const POLYNOMIAL = 0x82f63b78;

const TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let i = 0; i < 8; i++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** CRC-32C of the bytes, as bags of cells end with (there: four bytes, the lowest first). Node's zlib has the other CRC-32 only. */
export function crc32c(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) {
    rest = (TABLE[(rest ^ (bytes[i] as number)) & 0xff] as number) ^ (rest >>> 8);
  }
  return (rest ^ 0xffffffff) >>> 0;
}
