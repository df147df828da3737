/** Writes one record of the store. A record is read in the order in which it was written: nothing in it says what follows. */
export class ByteWriter {
  #bytes: Buffer;
  #at = 0;

  constructor(expectedLength = 512) {
    this.#bytes = Buffer.allocUnsafe(expectedLength);
  }

  u8(value: number): this {
    const at = this.#claim(1);
    this.#bytes.writeUInt8(value, at);
    return this;
  }

  u32(value: number): this {
    const at = this.#claim(4);
    this.#bytes.writeUInt32BE(value, at);
    return this;
  }

  i32(value: number): this {
    const at = this.#claim(4);
    this.#bytes.writeInt32BE(value, at);
    return this;
  }

  u64(value: bigint): this {
    const at = this.#claim(8);
    this.#bytes.writeBigUInt64BE(value, at);
    return this;
  }

  i64(value: bigint): this {
    const at = this.#claim(8);
    this.#bytes.writeBigInt64BE(value, at);
    return this;
  }

  /** An unsigned integer of any size: its length in bytes, then its bytes. */
  amount(value: bigint): this {
    const hex = value === 0n ? "" : value.toString(16);
    const length = (hex.length + 1) >> 1;
    this.u8(length);
    const at = this.#claim(length);
    this.#bytes.write(hex.padStart(length * 2, "0"), at, "hex");
    return this;
  }

  /** Bytes whose number the reader knows. */
  fixed(value: Uint8Array): this {
    const at = this.#claim(value.length);
    this.#bytes.set(value, at);
    return this;
  }

  /** Bytes with their number before them. */
  bytes(value: Uint8Array): this {
    return this.u32(value.length).fixed(value);
  }

  /** What was written; the writer is spent. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  #claim(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#at, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, at));
      this.#bytes = larger;
    }
    return at;
  }
}
