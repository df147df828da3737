/** The encodings of the contract's strings, as small as the tests need them. */

/** The two parts of a user-friendly address; the checksum is the CRC16 (XMODEM) of all bytes before it. */
export interface UserFriendlyAddress {
  raw: string;
  checksumHolds: boolean;
}

const userFriendly = /^[A-Za-z0-9+/_-]{48}$/;

export function isUserFriendly(text: string): boolean {
  return userFriendly.test(text);
}

export function userFriendlyAddress(text: string): UserFriendlyAddress {
  const bytes = Buffer.from(text, "base64url");
  const workchain = bytes.readInt8(1);
  return {
    raw: `${workchain}:${bytes.toString("hex", 2, 34).toUpperCase()}`,
    checksumHolds: crc16(bytes.subarray(0, 34)) === bytes.readUInt16BE(34),
  };
}

/** The raw form in capitals of an address in either form; empty stays empty. */
export function rawAddress(text: string): string {
  return isUserFriendly(text) ? userFriendlyAddress(text).raw : text.toUpperCase();
}

/** Standard base64 of a hash that is in hexadecimal or either base64 alphabet. */
export function standardHash(text: string): string {
  return Buffer.from(text, text.length === 64 ? "hex" : "base64url").toString("base64");
}

/** Whether bytes are a bag of cells whose own checksum, where it has one, holds. */
export function isBagOfCells(bytes: Buffer): boolean {
  if (bytes.toString("hex", 0, 4) !== "b5ee9c72") return false;
  const hasChecksum = ((bytes[4] ?? 0) & 0x40) !== 0;
  return !hasChecksum || crc32c(bytes.subarray(0, -4)) === bytes.readUInt32LE(bytes.length - 4);
}

/** Whether a shard holds an account: a shard is the first bits of its accounts, then a 1, then zeros. */
export function shardHolds(shard: string, account: string): boolean {
  const bits = (value: bigint): string => BigInt.asUintN(64, value).toString(2).padStart(64, "0");
  const prefix = bits(BigInt(shard)).replace(/10*$/, "");
  const [, hex = ""] = rawAddress(account).split(":");
  return bits(BigInt(`0x${hex.slice(0, 16)}`)).startsWith(prefix);
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
