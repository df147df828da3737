import { ChainStoreError } from "../store-error.ts";

/** Reads what a `ByteWriter` wrote, in the same order. Byte arrays are views of the record, not copies. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(record: Uint8Array) {
    this.#bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#take(1));
  }

  u32(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  i32(): number {
    return this.#bytes.readInt32BE(this.#take(4));
  }

  u64(): bigint {
    return this.#bytes.readBigUInt64BE(this.#take(8));
  }

  i64(): bigint {
    return this.#bytes.readBigInt64BE(this.#take(8));
  }

  amount(): bigint {
    const length = this.u8();
    const at = this.#take(length);
    if (length === 0) return 0n;
    if (length <= 6) return BigInt(this.#bytes.readUIntBE(at, length));
    return BigInt(`0x${this.#bytes.toString("hex", at, at + length)}`);
  }

  fixed(length: number): Uint8Array {
    const at = this.#take(length);
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + at, length);
  }

  bytes(): Uint8Array {
    return this.fixed(this.u32());
  }

  /** Ends the reading of a record: a longer one is none of ours. */
  end(): void {
    if (this.#at !== this.#bytes.length)
      throw new ChainStoreError("a record of the chain is damaged: it is longer than it should be");
  }

  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new ChainStoreError("a record of the chain is damaged: it ends too early");
    return at;
  }
}
