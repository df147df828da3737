/**
 * What a cell shows of itself to the cells that refer to it. A tree of cells can be hashed from the digests of its branches, so
 * that a large state need not be held to know its root hash.
 */
export interface Digest {
  /** Representation hash, 32 bytes. */
  readonly hash: Uint8Array;
  /** Longest way down to a cell without references; 0 where it has none. At most 1024. */
  readonly depth: number;
}
