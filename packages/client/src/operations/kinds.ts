/** What a value of an input has to be: an integer of the contract, or what `typeof` says. */
export type Kind = IntegerKind | "string" | "boolean" | "object";

/**
 * An integer within bounds. It is sent as a JSON number, or as decimal digits, which keep all bits. Without bounds it has 64 bits,
 * signed or unsigned, and is sent as signed.
 */
export type IntegerKind = readonly [sentAs: "number" | "decimal", least?: number | bigint, most?: number | bigint];

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
