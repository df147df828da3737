/** A chain with rotations of validators and both forms of signatures. */

/** More than 16 rotations. */
export const SIGNED_STEPS = 37;
export const SIGNED = {
  seed: 6,
  accounts: 10,
  shards: 1,
  validators: 4,
  keyBlocks: 2,
  blockInterval: 1,
  rate: 1,
  consensus: 9,
} as const;
/** Steps from one rotation to the next. */
export const KEY_BLOCKS: number = SIGNED.keyBlocks;
/** The first block with signatures in the Simplex form. */
export const FIRST_SIMPLEX: number = SIGNED.consensus;
/** External messages per step of a chain with the same zero state and validators, but other blocks. */
export const FALSE_RATE = 2;
