/** Reads the 64-bit integers of answers, which are decimal strings, without losing digits. */
import { int64Members } from "./operations.gen.ts";

type Int64Member = (typeof int64Members)[number];

/**
 * An answer whose 64-bit members (logical times and shards) are bigints.
 *
 * @example
 * ```ts
 * const newest: DecodedInt64<Transaction> | undefined = decodeInt64(page.items)[0];
 * newest?.transaction_id.lt; // 1555000001n
 * ```
 */
export type DecodedInt64<Value> = Value extends readonly (infer Item)[]
  ? DecodedInt64<Item>[]
  : Value extends object
    ? {
        [Name in keyof Value]: Name extends Int64Member
          ? Value[Name] extends string
            ? bigint
            : DecodedInt64<Value[Name]>
          : DecodedInt64<Value[Name]>;
      }
    : Value;

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

/**
 * Copies an answer with its 64-bit members (logical times and shards) as bigints. Throws a `SyntaxError` if such a member is a
 * string but not a decimal integer.
 *
 * @example
 * ```ts
 * const { last } = decodeInt64(await chain.getMasterchainInfo());
 * last.shard === -(2n ** 63n);
 * ```
 */
export function decodeInt64<Value>(value: Value): DecodedInt64<Value> {
  if (Array.isArray(value)) return value.map(decodeInt64) as DecodedInt64<Value>;
  if (typeof value !== "object" || value === null) return value as DecodedInt64<Value>;
  const decoded = Object.entries(value).map(([name, member]) => {
    const wide = typeof member === "string" && (int64Members as readonly string[]).includes(name);
    return [name, wide ? toBigInt(member) : decodeInt64(member)];
  });
  return Object.fromEntries(decoded) as DecodedInt64<Value>;
}
