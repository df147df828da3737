/** Hexadecimal, base64 and the checksum of addresses: fast without `Buffer`, and small enough for a page. */

const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const BASE64 = LETTERS + LETTERS.toLowerCase() + DIGITS;
export const HEX: string = DIGITS + LETTERS.slice(0, 6);
export const STANDARD: string = `${BASE64}+/`;
export const URL_SAFE: string = `${BASE64}-_`;

/** Values of characters by their codes; 64 for other characters. */
const hexValues = valuesOf(HEX + HEX.toLowerCase(), 16);
const base64Values = valuesOf(STANDARD + URL_SAFE, 64);

/** For alphabets of the same size, one after the other. */
function valuesOf(alphabets: string, size: number): Uint8Array {
  const values = new Uint8Array(128).fill(64);
  for (let at = 0; at < alphabets.length; at++) values[alphabets.charCodeAt(at)] = at % size;
  return values;
}

/** CRC-16/XMODEM of the first bytes. Over bytes followed by their own checksum it is 0. */
export function crc16(bytes: Uint8Array, length: number = bytes.length): number {
  let rest = 0;
  for (let at = 0; at < length; at++) {
    // The polynomial x^16 + x^12 + x^5 + 1, for eight bits at once.
    let byte = (rest >> 8) ^ (bytes[at] as number);
    byte ^= byte >> 4;
    rest = ((rest << 8) ^ (byte << 12) ^ (byte << 5) ^ byte) & 0xffff;
  }
  return rest;
}

/** Writes bytes in an alphabet of 16 or 64 characters. Base64 of 32 bytes ends with padding. */
export function encode(bytes: Uint8Array, alphabet: string): string {
  const text: number[] = [];
  const mask = alphabet.length - 1;
  const width = mask > 15 ? 6 : 4;
  let rest = 0;
  let bits = 0;
  for (let at = 0; at < bytes.length; at++) {
    rest = (rest << 8) | (bytes[at] as number);
    bits += 8;
    while (bits >= width) {
      bits -= width;
      text.push(alphabet.charCodeAt((rest >> bits) & mask));
    }
  }
  if (bits > 0) text.push(alphabet.charCodeAt((rest << (width - bits)) & mask), 61);
  return String.fromCharCode(...text);
}

/**
 * The first bytes of a text, of hexadecimal digits or of base64 in either alphabet; undefined if their characters have another value
 * or hold more than these bytes.
 */
export function decode(text: string, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  const isHex = text.length > 48;
  const values = isHex ? hexValues : base64Values;
  const width = isHex ? 4 : 6;
  let rest = 0;
  let bits = 0;
  let all = 0;
  for (let at = 0, to = 0; to < length; at++) {
    const value = values[text.charCodeAt(at)] ?? 64;
    all |= value;
    rest = (rest << width) | value;
    bits += width;
    if (bits >= 8) {
      bits -= 8;
      bytes[to++] = rest >> bits;
    }
  }
  return all < 64 && !(rest & ((1 << bits) - 1)) ? bytes : undefined;
}
