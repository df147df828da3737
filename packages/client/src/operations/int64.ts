/** Kinds of inputs, and 64-bit integers, which are decimal strings in responses and lose no digits. */
import type { BigintOf } from "@chain-query/types";
import { bigintMembers } from "./operations.gen.ts";

/** The kind of an input: an integer of the contract, or a result of `typeof`. */
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

type BigintMember = (typeof bigintMembers)[number];

/**
 * A response whose logical times, shards and amounts are bigints: a type of its own, such as `BigintTransaction`, or one with other
 * members.
 *
 * @example
 * ```ts
 * const newest: DecodedInt64<Transaction> | undefined = decodeInt64(page.items)[0];
 * newest?.transaction_id.lt; // 1555000001n
 * ```
 */
export type DecodedInt64<Value> = Value extends readonly (infer Item)[]
  ? DecodedInt64<Item>[]
  : BigintOf<Value> extends infer Own
    ? [Own] extends [Value]
      ? DecodedMembers<Value>
      : Own
    : never;

/** The members of a type that the contract does not have. */
type DecodedMembers<Value> = Value extends object
  ? {
      [Name in keyof Value]: Name extends BigintMember
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
 * Copies a response with its logical times, shards and amounts as bigints. Throws a `SyntaxError` if such a member is a string but not
 * a decimal integer. `withBigints` of `@chain-query/client/extras` does it for all results of a client.
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
    const wide = typeof member === "string" && (bigintMembers as readonly string[]).includes(name);
    return [name, wide ? toBigInt(member) : decodeInt64(member)];
  });
  return Object.fromEntries(decoded) as DecodedInt64<Value>;
}
