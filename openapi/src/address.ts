/** Addresses and hashes in all the forms that the API takes and gives. */
import { crc16, decode, encode, HEX, STANDARD, URL_SAFE } from "./bytes.ts";

/**
 * A text is not an address, or not a hash. The message names the problem and the accepted forms.
 *
 * @example
 * ```ts
 * try {
 *   parseAddress(input);
 * } catch (error) {
 *   if (error instanceof AddressError) show(error.message);
 * }
 * ```
 */
export class AddressError extends TypeError {
  override readonly name: string = "AddressError";
}

/**
 * The identity of an account. The rest of an address is its form.
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
  /** Whether a message that cannot be delivered returns to its sender. Default: true. */
  readonly bounceable?: boolean | undefined;
  /** Whether software of the main network refuses the address. Default: false. */
  readonly testOnly?: boolean | undefined;
  /** Whether to write `-` and `_` in place of `+` and `/`. Default: true. */
  readonly urlSafe?: boolean | undefined;
}

const BOUNCEABLE = 0x11;
const NON_BOUNCEABLE = 0x40;
const TEST_ONLY = 0x80;

const RAW = /^(-?\d{1,10}):(.{64})$/;
const HASH = /^(.{43}=?|.{64})$/;

/**
 * Reads an address in either form and checks it. White space around an address is not accepted.
 *
 * - Raw: the workchain as a decimal number of 32 bits with a sign, a colon, and the hash as 64 hexadecimal digits of either case.
 * - User-friendly: 48 characters of base64, which hold a byte of flags (0x11 bounceable, 0x51 not; 0x80 added for test-only),
 *   the workchain as a byte with a sign, the 32 bytes of the hash, and a checksum of two bytes, most significant first. The
 *   checksum is CRC-16/XMODEM: polynomial 0x1021, initial value 0. The standard and the URL-safe alphabet are both read, also
 *   mixed in one text, as the API does: the checksum covers the bytes, so the alphabet cannot cause a mistake.
 * @see https://github.com/ton-blockchain/TEPs/blob/master/text/0002-address.md for both forms
 * @throws AddressError if the text has a wrong length, character, checksum, flag or workchain
 * @example
 * ```ts
 * const { workchain, hash, bounceable } = parseAddress("EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c");
 * // 0, Uint8Array(32), true
 * ```
 */
export function parseAddress(text: string): ParsedAddress {
  const found = readAddress(text);
  if (typeof found === "string") throw notAddress(found);
  return found;
}

/**
 * Reads an address as {@link parseAddress} does, and returns the reason as text if it is not one. Use it where many wrong
 * addresses are expected: it builds no error.
 * @example
 * ```ts
 * const found = readAddress("EQ"); // "2 characters"
 * if (typeof found === "string") refuse(`address: ${found}`);
 * ```
 */
export function readAddress(text: string): ParsedAddress | string {
  if (typeof text !== "string") return `${text && typeof text}`;
  return text.includes(":") ? readRaw(text) : readFriendly(text);
}

/**
 * Whether a value is an address that {@link parseAddress} reads. Never throws. The empty text is not an address.
 * @example
 * ```ts
 * isAddress("-1:3333333333333333333333333333333333333333333333333333333333333333"); // true
 * ```
 */
export function isAddress(value: unknown): boolean {
  return typeof readAddress(value as string) === "object";
}

/**
 * Whether two addresses, in any forms, name the same account; the flags do not matter. The API gives an empty
 * text for the end of a message that lies outside the chain: it names no account, so it equals no address, not even itself.
 * @throws AddressError if one of them is neither empty nor an address
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
 * @throws AddressError if it is not an address
 * @example
 * ```ts
 * toRawAddress("Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF");
 * // "-1:3333333333333333333333333333333333333333333333333333333333333333"
 * ```
 */
export function toRawAddress(address: string | AccountId): string {
  const { workchain, hash } = accountOf(address);
  return `${workchain}:${encode(hash, HEX)}`;
}

/**
 * Writes an address in user-friendly form: 48 characters of base64 with flags and a checksum. The flags are those of the options
 * alone, not those of the given text.
 * @throws AddressError if it is not an address, or its workchain does not fit a signed byte (-128 to 127)
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
  if ((workchain << 24) >> 24 !== workchain) throw notAddress(wideWorkchain(workchain, 8));
  const bytes = new Uint8Array(36);
  bytes[0] = BOUNCEABLE | (bounceable ? 0 : NON_BOUNCEABLE) | (testOnly ? TEST_ONLY : 0);
  bytes[1] = workchain;
  bytes.set(hash, 2);
  const checksum = crc16(bytes, 34);
  bytes[34] = checksum >> 8;
  bytes[35] = checksum;
  return encode(bytes, urlSafe ? URL_SAFE : STANDARD);
}

/**
 * Reads a 256-bit hash, such as that of a transaction or a block, from 64 hexadecimal digits of either case, or from base64: 44
 * characters, or 43 without the `=`, in the standard or the URL-safe alphabet. The length decides which.
 * @throws AddressError if the text has a wrong length or character, or bits after its 32nd byte
 * @example
 * ```ts
 * const bytes = parseHash(transaction.transaction_id.hash); // Uint8Array(32)
 * ```
 */
export function parseHash(text: string): Uint8Array {
  if (typeof text !== "string") throw notHash(`${text && typeof text}`);
  const bytes = HASH.test(text) && decode(text, 32);
  if (!bytes) throw notHash(contentOf(text, /[^\w+/=-]/));
  return bytes;
}

/**
 * Writes a hash as the API gives it: standard base64, 44 characters. Takes every form that {@link parseHash} reads, or 32 bytes.
 * @throws AddressError if it is not a hash
 * @example
 * ```ts
 * toBase64Hash("0000000000000000000000000000000000000000000000000000000000000000");
 * // "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
 * ```
 */
export function toBase64Hash(hash: string | Uint8Array): string {
  return encode(bytesOf(hash), STANDARD);
}

/**
 * Writes a hash as 64 hexadecimal digits in small letters. Takes every form that {@link parseHash} reads, or 32 bytes.
 * @throws AddressError if it is not a hash
 * @example
 * ```ts
 * const link = `https://explorer.example/transaction/${toHexHash(transaction.transaction_id.hash)}`;
 * ```
 */
export function toHexHash(hash: string | Uint8Array): string {
  return encode(bytesOf(hash), HEX).toLowerCase();
}

/**
 * Whether two hashes, in any forms, are the same 32 bytes.
 * @throws AddressError if one of them is not a hash
 * @example
 * ```ts
 * sameHash(block.root_hash, hashFromExplorer);
 * ```
 */
export function sameHash(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return toHexHash(a) === toHexHash(b);
}

function readRaw(text: string): ParsedAddress | string {
  const [, digits, hexadecimal = ""] = RAW.exec(text) ?? [];
  const hash = decode(hexadecimal, 32);
  if (!hash) return "malformed raw form";
  const workchain = Number(digits);
  if (workchain !== (workchain | 0)) return wideWorkchain(workchain, 32);
  // Minus zero becomes zero.
  return { workchain: workchain | 0, hash, form: "raw" };
}

function readFriendly(text: string): ParsedAddress | string {
  const bytes = text.length === 48 && decode(text, 36);
  if (!bytes) return contentOf(text, /[^\w+/-]/);
  if (crc16(bytes) !== 0) return "wrong checksum";
  const [flags = 0, workchain = 0] = bytes;
  if ((flags | NON_BOUNCEABLE | TEST_ONLY) !== 0xd1) return `unknown flags 0x${flags.toString(16)}`;
  return {
    workchain: (workchain << 24) >> 24,
    hash: bytes.slice(2, 34),
    form: "friendly",
    bounceable: !(flags & NON_BOUNCEABLE),
    testOnly: !!(flags & TEST_ONLY),
  };
}

function accountOf(address: string | AccountId): AccountId {
  const { workchain, hash } = Object(address) === address ? (address as AccountId) : parseAddress(address as string);
  if (workchain === undefined) throw notAddress("no workchain");
  if (workchain !== (workchain | 0)) throw notAddress(wideWorkchain(workchain, 32));
  return { workchain: workchain | 0, hash: of32Bytes(hash) };
}

function bytesOf(hash: string | Uint8Array): Uint8Array {
  return typeof hash === "string" ? parseHash(hash) : of32Bytes(hash);
}

function of32Bytes(hash: Uint8Array): Uint8Array {
  if (hash?.length === 32) return hash;
  throw notHash(`${hash?.length ?? "no"} bytes`);
}

/** How long a text is, and its first character that matches. */
function contentOf(text: string, odd: RegExp): string {
  const at = text.search(odd);
  return `${text.length} characters${at < 0 ? "" : `, ${JSON.stringify(text[at])} at ${at + 1}`}`;
}

function wideWorkchain(workchain: number, bits: number): string {
  return `workchain ${workchain} does not fit ${bits} bits`;
}

function notAddress(reason: string): AddressError {
  return new AddressError(`Not an address: ${reason}; accepted: workchain:64 hexadecimal digits, or 48 characters of base64`);
}

function notHash(reason: string): AddressError {
  return new AddressError(`Not a hash: ${reason}; accepted: 64 hexadecimal digits, or 44 characters of base64`);
}
