/** Encodings of the examples that are not part of the contract's own codec. */
import { toRawAddress } from "../src/address.ts";

/** The raw form of an address; the empty text stays empty. */
export function rawAddress(text: string): string {
  return text === "" ? "" : toRawAddress(text);
}

/** Whether bytes are a bag of cells whose checksum, if present, is right. */
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

function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
