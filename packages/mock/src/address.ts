/** An account, however its address was written. */
export interface Account {
  workchain: number;
  /** 64 hexadecimal digits in small letters. */
  hash: string;
}

const bounceable = 0x11;
const nonBounceable = 0x51;
const testOnly = 0x80;

/** Reads an address in raw or user-friendly form; where that fails, what is wrong with it. */
export function accountIn(text: string): Account | string {
  const raw = /^(-?\d{1,10}):([\da-f]{64})$/i.exec(text);
  if (raw !== null) {
    const [, workchain = "", hash = ""] = raw;
    if (Number(workchain) !== (Number(workchain) | 0)) return `workchain ${workchain} does not fit 32 bits`;
    return { workchain: Number(workchain) | 0, hash: hash.toLowerCase() };
  }
  if (!/^[\w+/-]{48}$/.test(text)) return "neither workchain:hash in hexadecimal nor 48 characters of base64";
  const bytes = Buffer.from(text, "base64");
  if (bytes.readUInt16BE(34) !== crc16(bytes.subarray(0, 34))) return "wrong checksum";
  const flags = bytes.readUInt8(0) & ~testOnly;
  if (flags !== bounceable && flags !== nonBounceable) return `unknown flags 0x${bytes.toString("hex", 0, 1)}`;
  return { workchain: bytes.readInt8(1), hash: bytes.toString("hex", 2, 34) };
}

/** The form of `account` in an answer. */
export function rawForm({ workchain, hash }: Account): string {
  return `${workchain}:${hash.toUpperCase()}`;
}

/** The form of `account_address` in an answer; a workchain that does not fit its one byte leaves the raw form. */
export function friendlyForm(account: Account): string {
  if (account.workchain < -128 || account.workchain > 127) return rawForm(account);
  const bytes = Buffer.alloc(36);
  bytes.writeUInt8(bounceable, 0);
  bytes.writeInt8(account.workchain, 1);
  bytes.write(account.hash, 2, "hex");
  bytes.writeUInt16BE(crc16(bytes.subarray(0, 34)), 34);
  // Not "base64url", which the Buffer of a browser does not know; 36 bytes need no padding.
  return bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let rest = 0;
  for (const byte of bytes) {
    rest ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) rest = rest & 0x8000 ? (rest << 1) ^ 0x1021 : rest << 1;
  }
  return rest & 0xffff;
}
