import { hash } from "node:crypto";

/**
 * A deterministic generator: the same seed and purpose give the same numbers. It has no state to store, and numbers for one purpose do
 * not depend on those for others.
 */
export interface Random {
  /** A whole number from 0 to below `limit` (at most 2^32). */
  below(limit: number): number;
  bytes(length: number): Uint8Array;
}

/** 32 bytes that follow from a seed and a purpose. */
export function seededBytes(seed: bigint, ...purpose: readonly (string | number)[]): Uint8Array {
  return new Uint8Array(hash("sha256", [seed, ...purpose].join("/"), "buffer"));
}

/** Numbers for one purpose: SHA-256 of the seed, the purpose and a counter. */
export function seededRandom(seed: bigint, ...purpose: readonly (string | number)[]): Random {
  const name = [seed, ...purpose].join("/");
  let block = Buffer.alloc(0);
  let count = 0;
  const take = (length: number): Buffer => {
    while (block.length < length) {
      block = Buffer.concat([block, hash("sha256", `${name}#${count++}`, "buffer")]);
    }
    const taken = block.subarray(0, length);
    block = block.subarray(length);
    return taken;
  };
  return {
    // Six bytes: the bias of the remainder is below 1 in 65,000 even for the largest limit.
    below: (limit) => take(6).readUIntBE(0, 6) % limit,
    bytes: (length) => new Uint8Array(take(length)),
  };
}

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.below(from.length)] as T;
}
