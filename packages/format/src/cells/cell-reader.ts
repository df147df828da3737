import type { Cell } from "./cell.ts";

/** A cell ended before what was to be read from it, or holds something else than it should. */
export class CellError extends Error {
  override name = "CellError";
}

/**
 * Reads the bits and references of one cell, from the highest bit down. All methods throw a `CellError` past the end.
 *
 * @example
 * const reader = new CellReader(cell);
 * const lt = reader.skip(4 + 256).bigUint(64);
 */
export class CellReader {
  readonly #bytes: Uint8Array;
  readonly #refs: readonly Cell[];
  readonly #end: number;
  #at = 0;
  #ref = 0;

  constructor(cell: Cell) {
    this.#bytes = cell.bytes;
    this.#refs = cell.refs;
    this.#end = cell.bitLength;
  }

  /** Bits not read yet. */
  get remainingBits(): number {
    return this.#end - this.#at;
  }

  /** References not read yet. */
  get remainingRefs(): number {
    return this.#refs.length - this.#ref;
  }

  bit(): boolean {
    const at = this.#take(1);
    return (((this.#bytes[at >> 3] as number) >> (7 - (at & 7))) & 1) === 1;
  }

  /** An unsigned integer of at most 48 bits. */
  uint(bits: number): number {
    let at = this.#take(bits);
    let value = 0;
    for (let left = bits; left > 0; ) {
      const within = at & 7;
      const step = Math.min(8 - within, left);
      const part = ((this.#bytes[at >> 3] as number) >> (8 - within - step)) & ((1 << step) - 1);
      value = value * 2 ** step + part;
      at += step;
      left -= step;
    }
    return value;
  }

  /** A signed integer of at most 48 bits. */
  int(bits: number): number {
    const value = this.uint(bits);
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }

  /** An unsigned integer of any width. */
  bigUint(bits: number): bigint {
    if (bits <= 48) return BigInt(this.uint(bits));
    let value = 0n;
    for (let left = bits; left > 0; ) {
      const step = left % 32 || 32;
      value = (value << BigInt(step)) | BigInt(this.uint(step));
      left -= step;
    }
    return value;
  }

  /** An unsigned integer with its length in bytes before it: 4 bits of length for VarUInteger 16, 5 for VarUInteger 32. */
  varUint(lengthBits: number): bigint {
    return this.bigUint(this.uint(lengthBits) * 8);
  }

  /** An amount of the network's currency, in its smallest unit. */
  coins(): bigint {
    return this.varUint(4);
  }

  /** `length` bytes, copied. */
  bytes(length: number): Uint8Array {
    const at = this.#take(length * 8);
    const first = at >> 3;
    const shift = at & 7;
    if (shift === 0) return this.#bytes.slice(first, first + length);
    const value = new Uint8Array(length);
    for (let i = 0; i < length; i++) {
      const pair = ((this.#bytes[first + i] as number) << 8) | (this.#bytes[first + i + 1] as number);
      value[i] = pair >> (8 - shift);
    }
    return value;
  }

  ref(): Cell {
    const reference = this.#refs[this.#ref];
    if (!reference) throw new CellError("a cell has no further reference");
    this.#ref += 1;
    return reference;
  }

  /** A reference after a bit that tells whether there is one. */
  maybeRef(): Cell | undefined {
    return this.bit() ? this.ref() : undefined;
  }

  /** Leaves `bits` bits out. */
  skip(bits: number): this {
    this.#take(bits);
    return this;
  }

  #take(bits: number): number {
    const at = this.#at;
    if (at + bits > this.#end) throw new CellError(`a cell ends ${at + bits - this.#end} bits before what it should hold`);
    this.#at = at + bits;
    return at;
  }
}
