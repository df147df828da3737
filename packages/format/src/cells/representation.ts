import { hash } from "node:crypto";
import { bytesOfText } from "./byte-text.ts";
import type { Digest } from "./digest.ts";

/** Two descriptor bytes, 128 of data, and depth and hash of four references. */
const LONGEST = 2 + 128 + 4 * 34;
const scratch: Buffer = Buffer.alloc(LONGEST);

/** SHA-256 as 32 bytes. By way of a string: a Buffer for each of millions of hashes costs twice the time and three times the memory. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return bytesOfText(hash("sha256", bytes, "binary"));
}

/** Second descriptor byte: the number of whole bytes of data plus the number of bytes begun. */
export function dataDescriptor(bitLength: number): number {
  return (bitLength >> 3) + ((bitLength + 7) >> 3);
}

/**
 * Hash of a cell as it is represented towards those that refer to it: SHA-256 of both descriptor bytes, the data, the depths of
 * the references (two bytes each), then their hashes.
 *
 * `referenceDescriptor` is references + 8 for an exotic cell + 32 × level mask. The references must know their hashes already.
 * Source: the paper on the virtual machine of this network family, sections 3.1.4 to 3.1.7.
 */
export function representationHash(
  referenceDescriptor: number,
  bits: number,
  data: Uint8Array,
  refs: readonly Digest[],
): Uint8Array {
  scratch[0] = referenceDescriptor;
  scratch[1] = bits;
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

/** Depth of a cell: one more than its deepest reference. Throws a RangeError above 1024, the most that the network allows. */
export function depthAbove(refs: readonly Digest[]): number {
  let depth = 0;
  for (const ref of refs) if (ref.depth >= depth) depth = ref.depth + 1;
  if (depth > 1024) throw new RangeError(`a tree of cells is deeper than 1024: ${depth}`);
  return depth;
}

/** Digest of an ordinary cell without pruned branches below it. */
export function ordinaryDigest(data: Uint8Array, bitLength: number, refs: readonly Digest[]): Digest {
  // Before the hash, because a reference may be hashed only when it is asked, and in the same scratch.
  const depth = depthAbove(refs);
  return { hash: representationHash(refs.length, dataDescriptor(bitLength), data, refs), depth };
}
