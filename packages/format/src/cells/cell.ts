import { sha256 } from "./bytes.ts";

/**
 * Hash and depth of a cell. They are all that a cell's own hash needs from its references, so a large state can be hashed from the
 * digests of its branches, without their cells.
 */
export interface Digest {
  /** Representation hash, 32 bytes. */
  readonly hash: Uint8Array;
  /** Longest path to a cell without references: 0 for a cell that has none, at most 1024. */
  readonly depth: number;
}

/**
 * Ordinary cells hold data. The others are exotic: a pruned branch has the hash of a branch that was left out, a library cell the
 * hash of a library, `proof` and `update` are a Merkle proof and a Merkle update.
 */
export type CellType = "ordinary" | "pruned" | "library" | "proof" | "update";

/** Maximum number of bits in a cell. */
export const MAX_BITS = 1023;
/** Maximum number of references in a cell. */
export const MAX_REFS = 4;

/**
 * A cell: up to 1023 bits and up to four references to other cells. Immutable. Hashes are computed on first access, so parsing
 * costs no hashing.
 *
 * @throws RangeError from `hash`, `depth` and their variants if the tree is deeper than 1024.
 *
 * @example
 * const cell = readBoc(boc);
 * hex(cell.hash);
 */
export class Cell implements Digest {
  /** The bits, highest first. If their number is not a multiple of eight, a 1 and zeros fill the last byte. */
  readonly bytes: Uint8Array;
  readonly bitLength: number;
  readonly refs: readonly Cell[];
  readonly type: CellType;
  #lowest: Digest | undefined;
  #digest: Digest | undefined;
  #levels: Levels | undefined;

  /**
   * For `CellBuilder` and `readBoc`, which check the contents: use these to make cells.
   *
   * @param bytes - Must not change afterwards.
   * @param lowest - The digest at level 0 if it is known: a cell with pruned branches has that of the whole cell.
   */
  constructor(bytes: Uint8Array, bitLength: number, refs: readonly Cell[], type: CellType = "ordinary", lowest?: Digest) {
    this.bytes = bytes;
    this.bitLength = bitLength;
    this.refs = refs;
    this.type = type;
    this.#lowest = lowest;
  }

  /** Representation hash, 32 bytes. */
  get hash(): Uint8Array {
    return this.#topmost().hash;
  }

  /** Longest path to a cell without references. */
  get depth(): number {
    return this.#topmost().depth;
  }

  /** Bit i is set if the hash at level i + 1 differs from the one below: 0 for a cell with no pruned branch in its tree. */
  get levelMask(): number {
    this.#topmost();
    return this.#levels?.mask ?? 0;
  }

  /**
   * Hash at a level, 0 to 3. At level 0 pruned branches count as the cells that they replace, so `hashAt(0)` of the root in a
   * Merkle proof is the hash of the whole tree. From the cell's own level on it is the representation hash.
   */
  hashAt(level: number): Uint8Array {
    return this.#at(level).hash;
  }

  /** Depth at a level, see `hashAt`. */
  depthAt(level: number): number {
    return this.#at(level).depth;
  }

  #at(level: number): Digest {
    if (level === 0) {
      this.#lowest ??= this.#digest && !this.#levels ? this.#digest : computeLowest(this);
      return this.#lowest;
    }
    const topmost = this.#topmost();
    return this.#levels?.digests[level] ?? topmost;
  }

  #topmost(): Digest {
    this.#digest ??= this.#compute();
    return this.#digest;
  }

  #compute(): Digest {
    if (this.type === "ordinary" && this.refs.every((ref) => ref.levelMask === 0)) {
      return this.#lowest ?? computeOrdinaryDigest(this.bytes, this.bitLength, this.refs);
    }
    const levels = computeLevels(this);
    this.#levels = levels;
    return levels.digests[levels.digests.length - 1] as Digest;
  }
}

/** Digest of an ordinary cell without pruned branches in its tree. */
export function computeOrdinaryDigest(data: Uint8Array, bitLength: number, refs: readonly Digest[]): Digest {
  // Before the hash: a reference may compute its own digest here, in the same scratch buffer.
  const depth = computeDepth(refs);
  return { hash: hashRepresentation(refs.length, dataDescriptor(bitLength), data, refs), depth };
}

/** Second descriptor byte: the number of whole bytes of data plus the number of started bytes. */
export function dataDescriptor(bitLength: number): number {
  return (bitLength >> 3) + ((bitLength + 7) >> 3);
}

/** Two descriptor bytes, 128 bytes of data, depth and hash of four references. */
const scratch: Uint8Array = /* @__PURE__ */ new Uint8Array(2 + 128 + 4 * 34);

/**
 * SHA-256 of both descriptor bytes, the data, the depths of the references (two bytes each), then their hashes. The references must
 * have computed their digests already. Source: TVM whitepaper, sections 3.1.4 to 3.1.7.
 *
 * @param descriptor - Number of references + 8 for an exotic cell + 32 × level mask.
 */
function hashRepresentation(descriptor: number, dataBits: number, data: Uint8Array, refs: readonly Digest[]): Uint8Array {
  scratch[0] = descriptor;
  scratch[1] = dataBits;
  scratch.set(data, 2);
  let end = 2 + data.length;
  for (const { depth } of refs) {
    scratch[end++] = depth >> 8;
    scratch[end++] = depth & 0xff;
  }
  for (const ref of refs) {
    scratch.set(ref.hash, end);
    end += 32;
  }
  return sha256(scratch.subarray(0, end));
}

function computeDepth(refs: readonly Digest[]): number {
  let depth = 0;
  for (const ref of refs) if (ref.depth >= depth) depth = ref.depth + 1;
  if (depth > 1024) throw new RangeError(`a tree of cells is ${depth} deep: the maximum is 1024`);
  return depth;
}

/** Digests of a cell at the levels 0, 1, …; the last one holds for all levels above. */
interface Levels {
  readonly mask: number;
  readonly digests: readonly Digest[];
}

/**
 * A Merkle cell takes the digests of its references one level higher. A pruned branch gives the digests that it carries at lower
 * levels, and its own at the highest.
 */
function computeLevels(cell: Cell): Levels {
  const mask = computeLevelMask(cell);
  const top = 32 - Math.clz32(mask);
  const digests: Digest[] = [{ hash: cell.hashAt(0), depth: cell.depthAt(0) }];
  const carried = cell.type === "pruned" ? readPrunedDigests(cell) : [];
  for (let level = 1; level <= top; level++) {
    const isSignificant = (mask >> (level - 1)) & 1;
    const below = digests[level - 1];
    if (!isSignificant && below) {
      digests.push(below);
      continue;
    }
    const pruned = level < top ? carried[countBits(mask & ((1 << level) - 1))] : undefined;
    digests.push(pruned ?? computeDigestAt(cell, mask, level, carried.length > 0 ? undefined : below));
  }
  return { mask, digests };
}

/** The digest at level 0. It needs none of the levels above. */
function computeLowest(cell: Cell): Digest {
  const [carried] = cell.type === "pruned" ? readPrunedDigests(cell) : [];
  return carried ?? computeDigestAt(cell, 0, 0, undefined);
}

function computeDigestAt(cell: Cell, mask: number, level: number, below: Digest | undefined): Digest {
  const isMerkle = cell.type === "proof" || cell.type === "update";
  const childLevel = isMerkle ? level + 1 : level;
  const refs = cell.refs.map((ref): Digest => ({ hash: ref.hashAt(childLevel), depth: ref.depthAt(childLevel) }));
  const descriptor = refs.length + (cell.type === "ordinary" ? 0 : 8) + 32 * (mask & ((1 << level) - 1));
  return {
    hash: hashRepresentation(descriptor, dataDescriptor(cell.bitLength), below?.hash ?? cell.bytes, refs),
    depth: computeDepth(refs),
  };
}

function computeLevelMask(cell: Cell): number {
  if (cell.type === "pruned") return cell.bytes[1] ?? 0;
  let mask = 0;
  for (const ref of cell.refs) mask |= ref.levelMask;
  return cell.type === "proof" || cell.type === "update" ? mask >> 1 : mask;
}

/** A pruned branch holds its type, its level mask, then hashes (32 bytes each) and depths (2 bytes each), lowest level first. */
function readPrunedDigests(cell: Cell): Digest[] {
  const count = countBits(cell.bytes[1] ?? 0);
  const view = new DataView(cell.bytes.buffer, cell.bytes.byteOffset, cell.bytes.byteLength);
  return Array.from({ length: count }, (_, i) => ({
    hash: cell.bytes.subarray(2 + 32 * i, 34 + 32 * i),
    depth: view.getUint16(2 + 32 * count + 2 * i),
  }));
}

export function countBits(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1);
}
