/** Kinds of inputs, and 64-bit integers, which are decimal strings in responses and lose no digits. */

/** The kind of an input: an integer of the contract, or a result of `typeof`. */
export type Kind = IntegerKind | "string" | "boolean" | "object";

/**
 * An integer within bounds. It is sent as a JSON number, or as decimal digits, which keep all bits. Without bounds it has 64 bits,
 * signed or unsigned, and is sent as signed.
 */
type IntegerKind = readonly [sentAs: "number" | "decimal", least?: number | bigint, most?: number | bigint];

/**
 * An integer of an input: a bigint, a safe integer, or decimal digits, which all keep 64 bits. Anything else throws an
 * `InvalidArgumentError`.
 *
 * @example
 * ```ts
 * const sameLt: Int64[] = [433_000_001n, 433_000_001, "433000001"];
 * ```
 */
export type Int64 = bigint | number | string;

/**
 * Parses a decimal string, such as a logical time, a shard or an amount. Throws a `SyntaxError` if it is not one.
 *
 * @example
 * ```ts
 * toBigInt("-9223372036854775808") === -(2n ** 63n);
 * ```
 */
export function toBigInt(decimal: string): bigint {
  if (!/^-?\d+$/.test(decimal)) throw new SyntaxError(`${JSON.stringify(decimal)} is not a decimal integer`);
  return BigInt(decimal);
}

/**
 * Compares logical times, given as decimal strings, for `sort`: negative if `a` is older.
 *
 * @example
 * ```ts
 * transactions.sort((a, b) => compareLt(a.transaction_id.lt, b.transaction_id.lt));
 * ```
 */
export function compareLt(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}
