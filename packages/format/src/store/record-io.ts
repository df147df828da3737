import { crc32 } from "node:zlib";
import { ChainStoreError } from "./domain.ts";

/**
 * Reads or writes one record. Each method stands for one field in both directions: a writer writes the value and returns it, a reader
 * ignores the value and returns the field. So one function describes a record, like an XDR filter (RFC 4506).
 */
export interface RecordIo {
  u8(value?: number): number;
  u32(value?: number): number;
  i32(value?: number): number;
  u64(value?: bigint): bigint;
  i64(value?: bigint): bigint;
  /** An unsigned integer of any size: its length in bytes, then its bytes. */
  amount(value?: bigint): bigint;
  /** 32 bytes. */
  hash(value?: Uint8Array): Uint8Array;
  /** The number of bytes, then the bytes. */
  bytes(value?: Uint8Array): Uint8Array;
}

/** A kind of record: its bytes, which end with the CRC-32 of the others, and its values. */
export interface RecordType<T> {
  encode(value: T): Buffer;
  /**
   * Byte arrays in the result are views of the record, not copies.
   *
   * @throws ChainStoreError if the record does not have its checksum, or is longer or shorter than its fields.
   */
  decode(record: Uint8Array): T;
}

/**
 * Makes a record type from the one description of its fields, which receives a value only when it writes.
 *
 * @param expectedSize - Bytes that a writer allocates at first.
 */
export function recordType<T>(expectedSize: number, describe: (io: RecordIo, value?: T) => T): RecordType<T> {
  return {
    encode: (value) => {
      const writer = new RecordWriter(expectedSize);
      describe(writer, value);
      return writer.finish();
    },
    decode: (record) => {
      const reader = new RecordReader(record);
      const value = describe(reader);
      reader.end();
      return value;
    },
  };
}

const CHECKSUM_BYTES = 4;

class RecordReader implements RecordIo {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(record: Uint8Array) {
    const end = record.byteLength - CHECKSUM_BYTES;
    if (end < 0) throw new ChainStoreError("the chain is damaged: a record is too short");
    const all = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
    this.#bytes = all.subarray(0, end);
    if (crc32(this.#bytes) !== all.readUInt32BE(end))
      throw new ChainStoreError("the chain is damaged: a record does not have its checksum");
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

  hash(): Uint8Array {
    return this.#view(32);
  }

  bytes(): Uint8Array {
    return this.#view(this.u32());
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new ChainStoreError("the chain is damaged: a record is too long");
  }

  #view(length: number): Uint8Array {
    const at = this.#take(length);
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + at, length);
  }

  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new ChainStoreError("the chain is damaged: a record is too short");
    return at;
  }
}

class RecordWriter implements RecordIo {
  #bytes: Buffer;
  #at = 0;

  constructor(expectedSize: number) {
    this.#bytes = Buffer.allocUnsafe(expectedSize);
  }

  u8(value: number = required()): number {
    const at = this.#claim(1);
    this.#bytes.writeUInt8(value, at);
    return value;
  }

  u32(value: number = required()): number {
    const at = this.#claim(4);
    this.#bytes.writeUInt32BE(value, at);
    return value;
  }

  i32(value: number = required()): number {
    const at = this.#claim(4);
    this.#bytes.writeInt32BE(value, at);
    return value;
  }

  u64(value: bigint = required()): bigint {
    const at = this.#claim(8);
    this.#bytes.writeBigUInt64BE(value, at);
    return value;
  }

  i64(value: bigint = required()): bigint {
    const at = this.#claim(8);
    this.#bytes.writeBigInt64BE(value, at);
    return value;
  }

  amount(value: bigint = required()): bigint {
    const hex = value === 0n ? "" : value.toString(16);
    const length = this.u8((hex.length + 1) >> 1);
    const at = this.#claim(length);
    this.#bytes.write(hex.padStart(length * 2, "0"), at, "hex");
    return value;
  }

  hash(value: Uint8Array = required()): Uint8Array {
    if (value.length !== 32) throw new RangeError(`a hash of ${value.length} bytes: 32 are accepted`);
    return this.#copy(value);
  }

  bytes(value: Uint8Array = required()): Uint8Array {
    this.u32(value.length);
    return this.#copy(value);
  }

  finish(): Buffer {
    this.u32(crc32(this.#bytes.subarray(0, this.#at)));
    return this.#bytes.subarray(0, this.#at);
  }

  #copy(value: Uint8Array): Uint8Array {
    const at = this.#claim(value.length);
    this.#bytes.set(value, at);
    return value;
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

function required(): never {
  throw new TypeError("a record has a field without a value");
}
