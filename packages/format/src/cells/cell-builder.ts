import { Cell, computeOrdinaryDigest, type Digest, MAX_BITS, MAX_REFS } from "./cell.ts";
import { createPrunedBranch } from "./pruned-branch.ts";

/** Zeroed buffers of finished builders. Allocating 128 bytes costs more than writing most cells. */
const spare: Uint8Array[] = [];
const SPENT: Uint8Array = /* @__PURE__ */ new Uint8Array(0);

function isCell(reference: Digest): reference is Cell {
  return reference instanceof Cell;
}

/**
 * Writes the bits and references of one ordinary cell, highest bit first. References may be digests instead of cells: then
 * `digest()` gives the hash of the cell, and `cell()` throws. After either of them a builder must not be used again.
 *
 * All methods throw a RangeError for a value that does not fit its width, and for more than 1023 bits or four references.
 *
 * @example
 * new CellBuilder().uint(0x9023afe2, 32).coins(5n).ref(child).cell();
 */
export class CellBuilder {
  #bytes: Uint8Array = spare.pop() ?? new Uint8Array(128);
  #bits = 0;
  #refs: Digest[] = [];

  /** Bits written so far. */
  get bitLength(): number {
    return this.#bits;
  }

  /** One bit: 1 for true. */
  bit(value: boolean): this {
    this.#claim(1);
    if (value) this.#set(this.#bits);
    this.#bits += 1;
    return this;
  }

  /** An unsigned integer of `bits` bits, at most 48. TL-B `uintN`, `## N`. */
  uint(value: number, bits: number): this {
    if (!(Number.isSafeInteger(value) && value >= 0 && value < 2 ** bits)) {
      throw new RangeError(`${value} does not fit in ${bits} bits unsigned`);
    }
    this.#claim(bits);
    this.#put(value, bits);
    return this;
  }

  /** A signed integer of `bits` bits, at most 48. TL-B `intN`. */
  int(value: number, bits: number): this {
    const half = 2 ** (bits - 1);
    if (!(value >= -half && value < half)) throw new RangeError(`${value} does not fit in ${bits} bits signed`);
    return this.uint(value < 0 ? value + 2 * half : value, bits);
  }

  /** An unsigned integer of any width. */
  bigUint(value: bigint, bits: number): this {
    if (value < 0n || value >> BigInt(bits) !== 0n) throw new RangeError(`${value} does not fit in ${bits} bits unsigned`);
    this.#claim(bits);
    for (let left = bits; left > 0; ) {
      const step = left % 32 || 32;
      left -= step;
      this.#put(Number((value >> BigInt(left)) & 0xffffffffn), step);
    }
    return this;
  }

  /** An unsigned integer preceded by its length in bytes, in `lengthBits` bits: 4 for `VarUInteger 16`, 5 for `VarUInteger 32`. */
  varUint(value: bigint, lengthBits: number): this {
    let length = 0;
    for (let rest = value; rest > 0n; rest >>= 8n) length += 1;
    return this.uint(length, lengthBits).bigUint(value, length * 8);
  }

  /** An amount in the smallest unit of the network's currency. TL-B `Coins` (`Grams`), below 2^120. */
  coins(value: bigint): this {
    return this.varUint(value, 4);
  }

  /** Whole bytes. */
  bytes(value: Uint8Array): this {
    return this.bitsOf(value, 0, value.length * 8);
  }

  /** The bits `from` … `to` of a bit string, counted from the highest bit of its first byte. */
  bitsOf(source: Uint8Array, from: number, to: number): this {
    this.#claim(to - from);
    if (((from | this.#bits) & 7) === 0 && to - from >= 64) {
      const whole = (to - from) & ~7;
      this.#bytes.set(source.subarray(from >> 3, (from + whole) >> 3), this.#bits >> 3);
      this.#bits += whole;
      this.#copy(source, from + whole, to);
    } else this.#copy(source, from, to);
    return this;
  }

  /** A reference to another cell. TL-B `^X`. */
  ref(reference: Digest): this {
    if (this.#refs.length === MAX_REFS) throw new RangeError("a cell has at most four references");
    this.#refs.push(reference);
    return this;
  }

  /** A reference that may be absent: a bit, then the reference. TL-B `Maybe ^X`. */
  maybeRef(reference: Digest | undefined): this {
    return reference === undefined ? this.bit(false) : this.bit(true).ref(reference);
  }

  /** All bits and references of a cell, inline. */
  append(cell: Cell): this {
    this.bitsOf(cell.bytes, 0, cell.bitLength);
    for (const reference of cell.refs) this.ref(reference);
    return this;
  }

  /** Finishes the cell. Throws a TypeError if a reference is a digest. */
  cell(): Cell {
    const refs = this.#refs;
    if (!refs.every(isCell)) throw new TypeError("a reference of this cell is a digest: only `digest()` is possible");
    return new Cell(this.#finished(), this.#bits, refs);
  }

  /**
   * Finishes the cell with pruned branches in place of digests.
   *
   * @param whole - Digest of the cell with all its branches, if it is known.
   */
  prunedCell(whole?: Digest): Cell {
    const refs = this.#refs.map((reference) => (isCell(reference) ? reference : createPrunedBranch(reference)));
    return new Cell(this.#finished(), this.#bits, refs, "ordinary", whole);
  }

  /** Finishes the cell and gives only its hash and depth. */
  digest(): Digest {
    return computeOrdinaryDigest(this.#finished(), this.#bits, this.#refs);
  }

  #finished(): Uint8Array {
    const buffer = this.#bytes;
    const bytes = buffer.slice(0, (this.#bits + 7) >> 3);
    buffer.fill(0, 0, bytes.length);
    spare.push(buffer);
    this.#bytes = SPENT;
    if (this.#bits & 7) bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) | (0x80 >> (this.#bits & 7));
    return bytes;
  }

  #claim(bits: number): void {
    if (this.#bits + bits > MAX_BITS) throw new RangeError(`a cell has at most ${MAX_BITS} bits`);
  }

  #set(position: number): void {
    const at = position >> 3;
    this.#bytes[at] = (this.#bytes[at] as number) | (0x80 >> (position & 7));
  }

  #copy(source: Uint8Array, from: number, to: number): void {
    let position = from;
    while (position < to) {
      const within = position & 7;
      const free = 8 - (this.#bits & 7);
      const step = Math.min(8 - within, free, to - position);
      const part = ((source[position >> 3] as number) >> (8 - within - step)) & ((1 << step) - 1);
      const at = this.#bits >> 3;
      this.#bytes[at] = (this.#bytes[at] as number) | (part << (free - step));
      this.#bits += step;
      position += step;
    }
  }

  #put(value: number, bits: number): void {
    if (bits > 30) {
      // JavaScript shifts work on 32 bits.
      this.#put(Math.floor(value / 2 ** 24), bits - 24);
      this.#put(value % 2 ** 24, 24);
      return;
    }
    let left = bits;
    while (left > 0) {
      const free = 8 - (this.#bits & 7);
      const step = Math.min(free, left);
      left -= step;
      const part = (value >> left) & ((1 << step) - 1);
      const at = this.#bits >> 3;
      this.#bytes[at] = (this.#bytes[at] as number) | (part << (free - step));
      this.#bits += step;
    }
  }
}
