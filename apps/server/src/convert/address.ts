/** Addresses: read in each of their forms, written in the two that answers have (D-34, D-39). */
import type { AccountId } from "@chain-query/local-chain";
import { Refusal } from "../failure.ts";
import { bytesOf } from "./bytes.ts";

const bounceable = 0x11;
const nonBounceable = 0x51;
const testOnly = 0x80;

/**
 * Reads the address of an account: raw, or user-friendly in either base64 alphabet.
 *
 * @param member - The member of the request that it stands in, which the refusal names.
 * @throws Refusal where it is neither, its checksum is wrong or its flags mean nothing.
 *
 * @example
 * accountIn("EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH", "address").workchain; // 0
 */
export function accountIn(text: string, member: string): AccountId {
  const colon = text.indexOf(":");
  return colon === -1 ? friendlyIn(text, member) : rawIn(text, colon, member);
}

function rawIn(text: string, colon: number, member: string): AccountId {
  const workchain = Number(text.slice(0, colon));
  if (workchain !== (workchain | 0)) throw refusal(member, `the workchain ${text.slice(0, colon)} does not fit 32 bits`);
  const hash = Buffer.from(text.slice(colon + 1), "hex");
  if (hash.length !== 32) throw refusal(member, "64 hexadecimal digits are expected after the colon");
  // Minus zero would not be the key that zero is.
  return { workchain: workchain + 0, hash };
}

function friendlyIn(text: string, member: string): AccountId {
  const bytes = Buffer.from(text, "base64url");
  if (text.length !== 48 || bytes.length !== 36) throw refusal(member, "48 characters of base64 are expected");
  if (bytes.readUInt16BE(34) !== crc16(bytes, 34)) throw refusal(member, "wrong checksum");
  const flags = bytes.readUInt8(0) & ~testOnly;
  if (flags !== bounceable && flags !== nonBounceable) {
    throw refusal(member, `unknown flags 0x${bytes.toString("hex", 0, 1)}; 0x11 and 0x51 are known, 0x80 may be added`);
  }
  return { workchain: bytes.readInt8(1), hash: bytes.subarray(2, 34) };
}

function refusal(member: string, what: string): Refusal {
  return new Refusal(422, `${member}: ${what}; an address is workchain:64 hexadecimal digits or 48 characters of base64`);
}

/** `workchain:hexadecimal digits in capitals`. */
export function rawAddress({ workchain, hash }: AccountId): string {
  return `${workchain}:${bytesOf(hash).toString("hex").toUpperCase()}`;
}

/**
 * The user-friendly form: bounceable, in the URL-safe alphabet. Its byte for the workchain holds -128 to 127, and an account of any
 * other workchain is written in the raw form.
 *
 * @example
 * friendlyAddress(accountIn(`0:${"0".repeat(64)}`, "address")); // "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c"
 */
export function friendlyAddress(account: AccountId): string {
  const { workchain, hash } = account;
  if (workchain < -128 || workchain > 127) return rawAddress(account);
  const bytes = Buffer.allocUnsafe(36);
  bytes.writeUInt8(bounceable, 0);
  bytes.writeInt8(workchain, 1);
  bytes.set(hash, 2);
  bytes.writeUInt16BE(crc16(bytes, 34), 34);
  return bytes.toString("base64url");
}

const crcOfByte = Uint16Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 8;
  for (let bit = 0; bit < 8; bit++) rest = rest & 0x8000 ? (rest << 1) ^ 0x1021 : rest << 1;
  return rest;
});

/** CRC-16/XMODEM of the first bytes. */
function crc16(bytes: Uint8Array, length: number): number {
  let rest = 0;
  for (let index = 0; index < length; index++) {
    rest = ((rest << 8) ^ (crcOfByte[(rest >> 8) ^ (bytes[index] ?? 0)] ?? 0)) & 0xffff;
  }
  return rest;
}
