/**
 * Addresses and hashes in all the forms that the API takes and gives: check them, convert them, compare them. It needs nothing
 * but `atob` and `btoa`, and works in browsers, workers, Node.js, Deno and Bun.
 * @module
 */
import { notAddress, notHash, oddCharacter, wrongWorkchain } from "./address/address-error.ts";
import { crc16, fromBase64, fromHex, toBase64, toHex } from "./address/bytes.ts";

export { AddressError } from "./address/address-error.ts";

/**
 * What identifies an account: the rest of an address is how it is written.
 * @example
 * ```ts
 * const account: AccountId = { workchain: 0, hash: parseHash(hexDigits) };
 * ```
 */
export interface AccountId {
  /** A 32-bit integer with a sign: -1 is the masterchain, 0 the basechain. */
  readonly workchain: number;
  /** The 32 bytes of the account's hash in its workchain. */
  readonly hash: Uint8Array;
}

/**
 * An address as {@link parseAddress} reads it. Only the user-friendly form carries the two flags.
 * @example
 * ```ts
 * const forTests = (address: ParsedAddress): boolean => address.form === "friendly" && address.testOnly;
 * ```
 */
export type ParsedAddress = AccountId &
  (
    | { readonly form: "raw"; readonly bounceable?: never; readonly testOnly?: never }
    | { readonly form: "friendly"; readonly bounceable: boolean; readonly testOnly: boolean }
  );

/**
 * How {@link toFriendlyAddress} writes an address.
 * @example
 * ```ts
 * toFriendlyAddress(address, { bounceable: false, testOnly: true } satisfies FriendlyOptions);
 * ```
 */
export interface FriendlyOptions {
  /** Whether a message that cannot be delivered is to come back; true unless said otherwise. */
  readonly bounceable?: boolean | undefined;
  /** Whether software of the main network is to refuse the address; false unless said otherwise. */
  readonly testOnly?: boolean | undefined;
  /** `-` and `_` in place of `+` and `/`; true unless said otherwise. */
  readonly urlSafe?: boolean | undefined;
}

const BOUNCEABLE = 0x11;
const NON_BOUNCEABLE = 0x40;
const TEST_ONLY = 0x80;

const RAW = /^(-?\d{1,10}):([\da-f]{64})$/i;
const HEX_HASH = /^[\da-f]{64}$/i;
// 43 characters hold 258 bits. Only these last ones leave the two bits that no byte takes at zero.
const BASE64_HASH = /^[\w+/-]{42}[AEIMQUYcgkosw048]=?$/;
const NOT_HEX = /[^\da-f]/i;
const NOT_BASE64 = /[^\w+/-]/;

/**
 * Reads an address in either form, and checks it. Nothing is trimmed: white space around an address makes it none.
 *
 * - Raw: the workchain as a decimal number of 32 bits with a sign, a colon, and the hash as 64 hexadecimal digits of either case.
 * - User-friendly: 48 characters of base64, which hold a byte of flags (0x11 bounceable, 0x51 not; 0x80 added for test-only),
 *   the workchain as a byte with a sign, the 32 bytes of the hash, and a checksum of two bytes, most significant first. The
 *   checksum is CRC-16/XMODEM: polynomial 0x1021, initial value 0. The standard and the URL-safe alphabet are both read, also
 *   mixed in one text, as the API does: the checksum covers the bytes, so that nothing can be mistaken.
 * @see https://github.com/ton-blockchain/TEPs/blob/master/text/0002-address.md for both forms
 * @throws AddressError where the text has a wrong length, character, checksum, flag or workchain
 * @example
 * ```ts
 * const { workchain, hash, bounceable } = parseAddress("EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c");
 * // 0, Uint8Array(32), true
 * ```
 */
export function parseAddress(text: string): ParsedAddress {
  if (typeof text !== "string") throw notAddress(typeof text);
  return text.includes(":") ? parseRaw(text) : parseFriendly(text);
}

/**
 * Whether a value is an address that {@link parseAddress} reads. Never throws. The empty text is none.
 * @example
 * ```ts
 * isAddress("-1:3333333333333333333333333333333333333333333333333333333333333333"); // true
 * ```
 */
export function isAddress(value: unknown): boolean {
  try {
    parseAddress(value as string);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether two addresses, in any forms, name the same account; the flags do not matter. An empty text, as the API gives for the
 * missing end of a message from or to the outside, names no account and is the same as nothing.
 * @throws AddressError where one of them is neither empty nor an address
 * @example
 * ```ts
 * const received = transactions.filter(({ in_msg }) => in_msg && sameAddress(in_msg.destination.account_address, wallet));
 * ```
 */
export function sameAddress(a: string | AccountId, b: string | AccountId): boolean {
  return a !== "" && b !== "" && toRawAddress(a) === toRawAddress(b);
}

/**
 * Writes an address in raw form: the workchain, a colon and 64 hexadecimal digits in capitals, as the API gives it.
 * @throws AddressError where it is given no address
 * @example
 * ```ts
 * toRawAddress("Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF");
 * // "-1:3333333333333333333333333333333333333333333333333333333333333333"
 * ```
 */
export function toRawAddress(address: string | AccountId): string {
  const { workchain, hash } = accountOf(address);
  return `${workchain}:${toHex(hash).toUpperCase()}`;
}

/**
 * Writes an address in user-friendly form: 48 characters of base64 with flags and a checksum. The flags are those of the options
 * alone, whatever flags the given text has.
 * @throws AddressError where it is given no address, or one whose workchain does not fit into a byte with a sign (-128 to 127)
 * @example
 * ```ts
 * toFriendlyAddress("0:0000000000000000000000000000000000000000000000000000000000000000", { bounceable: false });
 * // "UQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJKZ"
 * ```
 */
export function toFriendlyAddress(
  address: string | AccountId,
  { bounceable = true, testOnly = false, urlSafe = true }: FriendlyOptions = {},
): string {
  const { workchain, hash } = accountOf(address);
  if ((workchain << 24) >> 24 !== workchain) throw wrongWorkchain(workchain, 8);
  const bytes = [BOUNCEABLE | (bounceable ? 0 : NON_BOUNCEABLE) | (testOnly ? TEST_ONLY : 0), workchain & 0xff, ...hash];
  const checksum = crc16(bytes);
  const text = toBase64([...bytes, checksum >> 8, checksum & 0xff]);
  return urlSafe ? text.replace(/\+/g, "-").replace(/\//g, "_") : text;
}

/**
 * Reads a 256-bit hash, such as that of a transaction or a block, from 64 hexadecimal digits of either case, or from base64: 44
 * characters, or 43 without the `=`, in the standard or the URL-safe alphabet. The length tells which.
 * @throws AddressError where the text has a wrong length or character, or bits after its 32nd byte
 * @example
 * ```ts
 * const bytes = parseHash(transaction.transaction_id.hash); // Uint8Array(32)
 * ```
 */
export function parseHash(text: string): Uint8Array {
  if (typeof text !== "string") throw notHash(typeof text);
  if (HEX_HASH.test(text)) return fromHex(text);
  if (BASE64_HASH.test(text)) return fromBase64(text);
  throw notHash(hashFault(text));
}

/**
 * Writes a hash as the API gives it: standard base64, 44 characters. Takes every form that {@link parseHash} reads, or 32 bytes.
 * @throws AddressError where it is given no hash
 * @example
 * ```ts
 * toBase64Hash("0000000000000000000000000000000000000000000000000000000000000000");
 * // "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
 * ```
 */
export function toBase64Hash(hash: string | Uint8Array): string {
  return toBase64(bytesOf(hash));
}

/**
 * Writes a hash as 64 hexadecimal digits in small letters. Takes every form that {@link parseHash} reads, or 32 bytes.
 * @throws AddressError where it is given no hash
 * @example
 * ```ts
 * const link = `https://explorer.example/transaction/${toHexHash(transaction.transaction_id.hash)}`;
 * ```
 */
export function toHexHash(hash: string | Uint8Array): string {
  return toHex(bytesOf(hash));
}

/**
 * Whether two hashes, in any forms, are the same 32 bytes.
 * @throws AddressError where one of them is no hash
 * @example
 * ```ts
 * sameHash(block.root_hash, hashFromExplorer);
 * ```
 */
export function sameHash(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return toHexHash(a) === toHexHash(b);
}

function parseRaw(text: string): ParsedAddress {
  const [, workchain, hash] = RAW.exec(text) ?? [];
  if (workchain === undefined || hash === undefined) throw notAddress("a colon not between a workchain and 64 digits");
  return { ...accountOf({ workchain: Number(workchain), hash: fromHex(hash) }), form: "raw" };
}

function parseFriendly(text: string): ParsedAddress {
  if (text.length !== 48) throw notAddress(`${text.length} characters and no colon`);
  const odd = text.search(NOT_BASE64);
  if (odd >= 0) throw notAddress(oddCharacter(text, odd));
  const bytes = fromBase64(text);
  if (crc16(bytes) !== 0) throw notAddress("a wrong checksum, so a character was mistyped");
  const [flags = 0, workchain = 0] = bytes;
  if ((flags & ~NON_BOUNCEABLE & ~TEST_ONLY) !== BOUNCEABLE) {
    throw notAddress(`flags 0x${toHex(bytes.subarray(0, 1))} instead of 0x11, 0x51, 0x91 or 0xd1`);
  }
  return {
    workchain: (workchain << 24) >> 24,
    hash: bytes.slice(2, 34),
    form: "friendly",
    bounceable: !(flags & NON_BOUNCEABLE),
    testOnly: !!(flags & TEST_ONLY),
  };
}

function accountOf(address: string | AccountId): AccountId {
  if (typeof address === "string") return parseAddress(address);
  const { workchain, hash } = address ?? {};
  if (hash?.length !== 32) throw notAddress("no hash of 32 bytes");
  if (workchain !== (workchain | 0)) throw wrongWorkchain(workchain, 32);
  // Minus zero becomes zero.
  return { workchain: workchain | 0, hash };
}

function bytesOf(hash: string | Uint8Array): Uint8Array {
  if (typeof hash === "string") return parseHash(hash);
  if (hash?.length !== 32) throw notHash(`${hash?.length} bytes`);
  return hash;
}

function hashFault(text: string): string {
  const { length } = text;
  if (length !== 43 && length !== 44 && length !== 64) return `${length} characters`;
  const odd = text.search(length === 64 ? NOT_HEX : NOT_BASE64);
  // The "=" of 44 characters is odd to the search, but in its place.
  return odd < 0 || (odd === 43 && length === 44) ? "an end that 32 bytes in base64 never have" : oddCharacter(text, odd);
}
