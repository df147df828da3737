import { type CellLevels, cellLevels } from "./cell-levels.ts";
import type { Digest } from "./digest.ts";
import { ordinaryDigest } from "./representation.ts";

/** Ordinary cells hold data; the others stand for something: a branch left out, a library, a proof, a change of state. */
export type CellType = "ordinary" | "pruned" | "library" | "proof" | "update";

/** The most bits that a cell holds. */
export const MAX_BITS = 1023;
/** The most references that a cell holds. */
export const MAX_REFS = 4;

/**
 * A cell: up to 1023 bits and four references. `bytes` holds the bits from the highest down; where their number is no multiple of
 * eight, a 1 and zeros follow, as in a bag of cells. Hashes are computed when first asked for, so that reading costs none.
 *
 * A class of our own because the one of `@ton/core` hashes on construction and freezes seven objects for every cell.
 */
export class Cell implements Digest {
  readonly bytes: Uint8Array;
  readonly bitLength: number;
  readonly refs: readonly Cell[];
  readonly type: CellType;
  #digest: Digest | undefined;
  #levels: CellLevels | undefined;

  /** Takes `bytes` over: they must not change afterwards. Made by `CellBuilder` and `readBoc`, which know that the bits are right. */
  constructor(bytes: Uint8Array, bitLength: number, refs: readonly Cell[], type: CellType = "ordinary") {
    this.bytes = bytes;
    this.bitLength = bitLength;
    this.refs = refs;
    this.type = type;
  }

  /** Representation hash, 32 bytes. */
  get hash(): Uint8Array {
    return this.#topmost().hash;
  }

  get depth(): number {
    return this.#topmost().depth;
  }

  /** Bit i is set where level i + 1 is significant: 0 for a cell without pruned branches below. */
  get levelMask(): number {
    this.#topmost();
    return this.#levels?.mask ?? 0;
  }

  /** Hash as a Merkle cell sees it that stands `level` above the top; from the highest level on, the representation hash. */
  hashAt(level: number): Uint8Array {
    return this.#at(level).hash;
  }

  /** Depth as a Merkle cell sees it, as `hashAt`. */
  depthAt(level: number): number {
    return this.#at(level).depth;
  }

  #at(level: number): Digest {
    const topmost = this.#topmost();
    return this.#levels?.digests[level] ?? topmost;
  }

  #topmost(): Digest {
    this.#digest ??= this.#compute();
    return this.#digest;
  }

  #compute(): Digest {
    if (this.type === "ordinary" && this.refs.every((ref) => ref.levelMask === 0)) {
      return ordinaryDigest(this.bytes, this.bitLength, this.refs);
    }
    const levels = cellLevels(this);
    this.#levels = levels;
    return levels.digests[levels.digests.length - 1] as Digest;
  }
}
