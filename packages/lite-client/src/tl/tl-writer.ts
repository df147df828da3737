/**
 * Writes the parts of a TL object. Values are not checked: integers are cut to their size.
 *
 * @example
 * const bytes = new TlWriter().uint(0x89b5e62e).finish();
 */
export class TlWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #at = 0;

  /** `capacity` is the number of bytes that are probably written. */
  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** `int`: 32 bits, signed. */
  int(value: number): this {
    const at = this.#grow(4);
    this.#view.setInt32(at, value, true);
    return this;
  }

  /** `#`: 32 bits, unsigned. Also a constructor id. */
  uint(value: number): this {
    const at = this.#grow(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  /** `long`: 64 bits, signed. */
  long(value: bigint): this {
    const at = this.#grow(8);
    this.#view.setBigInt64(at, value, true);
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
    const { length } = value;
    if (length < 0xfe) {
      const at = this.#grow(1);
      this.#bytes[at] = length;
    } else this.uint(length * 0x100 + 0xfe);
    this.raw(value);
    this.#grow(-this.#at & 3);
    return this;
  }

  /** What was written. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  #grow(length: number): number {
    const at = this.#at;
    this.#at = at + length;
    if (this.#at > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#at, 2 * this.#bytes.length));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }
}
