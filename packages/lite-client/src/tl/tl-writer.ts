/**
 * Writes the parts of a TL object. Values are not checked: they must be in the range of their type.
 *
 * @example
 * const bytes = new TlWriter().uint(0x89b5e62e).finish();
 */
export class TlWriter {
  #bytes: Buffer;
  #at = 0;

  /** `capacity` is the number of bytes that are probably written. */
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

  /** What was written. */
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
