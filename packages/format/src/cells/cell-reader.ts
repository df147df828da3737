import { OperationalError } from "../error.ts";
import { Cell } from "./cell.ts";

/** The bytes or cells do not have the expected layout: too short, a wrong tag, a damaged bag of cells. */
export class CellError extends OperationalError {
  override name = "CellError";
}

/**
 * A cell to read is a pruned branch: the proof does not show it. This proves nothing about its content, so an entry of
 * a dictionary is absent only if the reading ends without this error.
 *
 * @example
 * if (error instanceof PrunedCellError) throw new Error("the proof is incomplete", { cause: error });
 */
export class PrunedCellError extends CellError {
  override name = "PrunedCellError";
}

/**
 * Checks the tag at the beginning of a TL-B type. A tag that is not known may be of a newer block.tlb: nothing of the cell is read then.
 *
 * @throws CellError if the tag is not among the expected ones.
 *
 * @example
 * const tag = readTag(reader, 32, "ValueFlow", FLOW_TAG, BURNING_FLOW_TAG);
 */
export function readTag(reader: CellReader, bits: number, type: string, ...expected: readonly [number, ...number[]]): number {
  const tag = reader.uint(bits);
  if (expected.includes(tag)) return tag;
  const text = (value: number): string => value.toString(16).padStart(Math.ceil(bits / 4), "0");
  const known = expected.map(text).join(" or ");
  throw new CellError(
    `${type} must have tag ${known}, got ${text(tag)}: the cell holds something else, or is of a newer block.tlb`,
  );
}

/** The cells that `recordReads` has seen so far. */
let recorded: Set<Cell> | undefined;

/** Calls `read`, and returns the cells for which it made a `CellReader`. `read` must be synchronous. */
export function recordReads(read: () => void): ReadonlySet<Cell> {
  const outer = recorded;
  const cells = new Set<Cell>();
  recorded = cells;
  try {
    read();
  } finally {
    recorded = outer;
  }
  return cells;
}

/**
 * Reads the bits and references of one cell, highest bit first. All methods throw a `CellError` past the end, the constructor a
 * `PrunedCellError` for a pruned branch.
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
    if (cell.type === "pruned") throw new PrunedCellError("a cell that was to be read is a pruned branch");
    recorded?.add(cell);
    this.#bytes = cell.bytes;
    this.#refs = cell.refs;
    this.#end = cell.bitLength;
  }

  /** Number of bits not read yet. */
  get remainingBits(): number {
    return this.#end - this.#at;
  }

  /** Number of references not read yet. */
  get remainingRefs(): number {
    return this.#refs.length - this.#ref;
  }

  /** One bit: true for 1. */
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

  /** An unsigned integer preceded by its length in bytes: `lengthBits` is 4 for `VarUInteger 16`, 5 for `VarUInteger 32`. */
  varUint(lengthBits: number): bigint {
    return this.bigUint(this.uint(lengthBits) * 8);
  }

  /** An amount in the smallest unit of the network's currency. TL-B `Coins` (`Grams`). */
  coins(): bigint {
    return this.varUint(4);
  }

  /** A copy of `length` bytes, which need not begin at a byte of the cell. */
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

  /** The next reference. TL-B `^X`. */
  ref(): Cell {
    const reference = this.#refs[this.#ref];
    if (!reference) throw new CellError("a cell has no more references");
    this.#ref += 1;
    return reference;
  }

  /** A reference that may be absent. TL-B `Maybe ^X`. */
  maybeRef(): Cell | undefined {
    return this.bit() ? this.ref() : undefined;
  }

  /** All that is left, as a cell of its own. */
  rest(): Cell {
    const refs = this.#refs.slice(this.#ref);
    this.#ref = this.#refs.length;
    return this.#cell(this.remainingBits, refs);
  }

  /** All that `read` reads, as a cell of its own. */
  part(read: (reader: this) => void): Cell {
    const [from, firstRef] = [this.#at, this.#ref];
    read(this);
    const bits = this.#at - from;
    this.#at = from;
    return this.#cell(bits, this.#refs.slice(firstRef, this.#ref));
  }

  #cell(bits: number, refs: readonly Cell[]): Cell {
    const bytes = new Uint8Array((bits + 7) >> 3);
    bytes.set(this.bytes(bits >> 3));
    const tail = bits & 7;
    if (tail) bytes[bytes.length - 1] = (this.uint(tail) << (8 - tail)) | (0x80 >> tail);
    return new Cell(bytes, bits, refs);
  }

  /** Skips `bits` bits. */
  skip(bits: number): this {
    this.#take(bits);
    return this;
  }

  #take(bits: number): number {
    const at = this.#at;
    if (at + bits > this.#end) throw new CellError(`a cell ends ${at + bits - this.#end} bits too early`);
    this.#at = at + bits;
    return at;
  }
}
