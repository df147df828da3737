/** Reads and writes the primitive types of TL. */
import { LiteError } from "../lite-error.ts";

const utf8 = new TextDecoder();

/** Reads the parts of a TL object. All methods throw a `LiteError` of kind "protocol" past the end and for invalid bytes. */
export class TlReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // A plain array: `slice` of a Buffer would not copy.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Number of bytes not read yet. */
  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  /** `int`: 32 bits, signed. */
  int(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  /** `#`: 32 bits, unsigned. Also a constructor id. */
  uint(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  /** The next `uint` without reading it, such as the constructor id of a boxed object. */
  peekUint(): number {
    const id = this.uint();
    this.#at -= 4;
    return id;
  }

  /** `long`: 64 bits, signed. */
  long(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  /** `int256`: a copy of 32 bytes. */
  int256(): Uint8Array {
    const at = this.#take(32);
    return this.#bytes.slice(at, at + 32);
  }

  /** `bytes`: a view, which keeps all the bytes of the reader in memory. */
  bytes(): Uint8Array {
    const short = this.#bytes[this.#take(1)] as number;
    if (short === 0xff) throw new LiteError("protocol", "TL: a length of bytes begins with ff");
    const isLong = short === 0xfe;
    const length = isLong ? this.#view.getUint32(this.#take(3) - 1, true) >>> 8 : short;
    const at = this.#take(length);
    this.#take(-(length + (isLong ? 4 : 1)) & 3);
    return this.#bytes.subarray(at, at + length);
  }

  /** `string`: bytes in UTF-8. */
  string(): string {
    return utf8.decode(this.bytes());
  }

  /** The count of a vector whose items have at least `minBytes` each. Throws if fewer bytes follow. */
  count(minBytes: number): number {
    const count = this.uint();
    if (count * minBytes > this.remaining) {
      throw new LiteError(
        "protocol",
        `TL: a vector of ${count} items of at least ${minBytes} bytes, but ${this.remaining} follow`,
      );
    }
    return count;
  }

  end(): void {
    if (this.remaining > 0) throw new LiteError("protocol", `TL: ${this.remaining} bytes follow the end of the object`);
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.#bytes.length - at) {
      throw new LiteError("protocol", `TL: ends after ${this.#bytes.length} bytes, ${length} more expected at ${at}`);
    }
    this.#at = at + length;
    return at;
  }
}

/** Writes the parts of a TL object. Values are not checked: they must be in the range of their type. */
export class TlWriter {
  #bytes: Buffer;
  #at = 0;

  /** @param capacity - Bytes that are allocated at first. */
  constructor(capacity = 256) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** `int`: 32 bits, signed. */
  int(value: number): this {
    const at = this.#grow(4);
    this.#bytes.writeInt32LE(value, at);
    return this;
  }

  /** `#`: 32 bits, unsigned. Also a constructor id. */
  uint(value: number): this {
    const at = this.#grow(4);
    this.#bytes.writeUInt32LE(value, at);
    return this;
  }

  /** `long`: 64 bits, signed. */
  long(value: bigint): this {
    const at = this.#grow(8);
    this.#bytes.writeBigInt64LE(value, at);
    return this;
  }

  /** Bytes as they are, such as an `int256`. */
  raw(value: Uint8Array): this {
    const at = this.#grow(value.length);
    this.#bytes.set(value, at);
    return this;
  }

  /** `bytes`: its length, the bytes and padding to a multiple of four; at most 2^24 - 1 bytes. */
  bytes(value: Uint8Array): this {
    return this.beginBytes(value.length).raw(value).endBytes(value.length);
  }

  /** The length of `bytes` that are written next, such as an object; then comes `endBytes`. */
  beginBytes(length: number): this {
    if (length >= 0xfe) return this.uint(length * 0x100 + 0xfe);
    const at = this.#grow(1);
    this.#bytes[at] = length;
    return this;
  }

  /** The padding after `bytes` of a length. */
  endBytes(length: number): this {
    const padding = -(length + (length < 0xfe ? 1 : 4)) & 3;
    const at = this.#grow(padding);
    this.#bytes.fill(0, at, at + padding);
    return this;
  }

  finish(): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#at);
  }

  #grow(length: number): number {
    const at = this.#at;
    this.#at = at + length;
    if (this.#at > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#at, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
    }
    return at;
  }
}

/** Number of bytes that `bytes` of a length take. */
export function sizeOfBytes(length: number): number {
  return (length + (length < 0xfe ? 1 : 4) + 3) & ~3;
}
