export const HIGHEST_U32: number = 2 ** 32 - 1;
export const HIGHEST_LT: bigint = 2n ** 64n - 1n;

/**
 * Callers may ask for any number. One that no block or transaction can have names nothing, and is not to reach a key, which would
 * be that of another number.
 */
export function isU32(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= HIGHEST_U32;
}

/** The same for logical times. */
export function isLt(value: bigint): boolean {
  return value >= 0n && value <= HIGHEST_LT;
}
