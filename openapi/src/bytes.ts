/** Hexadecimal, base64 and the checksum of addresses. Tables make them fast; neither `Buffer` nor `atob` is needed. */

/** Above every value of a base64 character: what the table holds for all other characters. */
const NO_VALUE = 64;

/** Values to codes of characters, in the standard alphabet of base64. */
const codes = Uint8Array.from({ length: 64 }, (_, value) =>
  value < 26 ? value + 65 : value < 52 ? value + 71 : value < 62 ? value - 4 : value === 62 ? 43 : 47,
);

/** Codes of characters to values, in both alphabets. */
const values = new Uint8Array(128).fill(NO_VALUE);
codes.forEach((code, value) => {
  values[code] = value;
});
values[45] = 62;
values[95] = 63;

/** CRC-16/XMODEM of the first bytes. Over bytes followed by their own checksum it is 0. */
export function crc16(bytes: Uint8Array, length: number): number {
  let rest = 0;
  for (let at = 0; at < length; at++) {
    // The polynomial x^16 + x^12 + x^5 + 1, for eight bits at once.
    let byte = (rest >> 8) ^ (bytes[at] as number);
    byte ^= byte >> 4;
    rest = ((rest << 8) ^ (byte << 12) ^ (byte << 5) ^ byte) & 0xffff;
  }
  return rest;
}

/** In capitals. */
export function toHex(bytes: Uint8Array): string {
  const text: number[] = [];
  const digit = (value: number): number => value + (value < 10 ? 48 : 55);
  for (let at = 0; at < bytes.length; at++) text.push(digit((bytes[at] as number) >> 4), digit((bytes[at] as number) & 15));
  return String.fromCharCode(...text);
}

/** The 32 bytes of the last 64 characters, which must be hexadecimal digits. */
export function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(32);
  let at = text.length - 64;
  const value = (code: number): number => (code & 15) + (code < 58 ? 0 : 9);
  for (let to = 0; to < 32; to++) bytes[to] = (value(text.charCodeAt(at++)) << 4) | value(text.charCodeAt(at++));
  return bytes;
}

/** 36 bytes, or 32 with padding. */
export function toBase64(bytes: Uint8Array, urlSafe: boolean): string {
  const text: number[] = [];
  const code = (value: number): number => (urlSafe && value > 61 ? (value === 62 ? 45 : 95) : (codes[value] as number));
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] ?? 0);
    text.push(code(bits >> 18), code((bits >> 12) & 63), code((bits >> 6) & 63), code(bits & 63));
  }
  if (bytes.length === 32) text[43] = 61;
  return String.fromCharCode(...text);
}

/** The first bytes of a text in either alphabet; undefined if one of their characters is in neither. */
export function fromBase64(text: string, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  let bits = 0;
  let rest = 0;
  let all = 0;
  for (let at = 0, to = 0; to < length; at++) {
    const value = values[text.charCodeAt(at)] ?? NO_VALUE;
    all |= value;
    rest = (rest << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[to++] = rest >> bits;
    }
  }
  return all < NO_VALUE ? bytes : undefined;
}
