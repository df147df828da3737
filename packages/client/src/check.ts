/** Checks what a caller hands in, option or input, and tells what is accepted where it is wrong. */
import { InvalidArgumentError } from "./errors.ts";

/** What a value has to be: one of the contract's kinds of input, one of the options', or simply what `typeof` says. */
export type Kind = "integer" | "int64" | "natural" | OptionKind | "string" | "boolean" | "function" | "object";
export type OptionKind =
  | "url"
  | "key"
  | "headers"
  | "positive"
  | "count"
  | "size"
  | "switch"
  | "integers"
  | "objects"
  | "signal";

/**
 * A 64-bit integer with a sign: a bigint, a safe integer, or decimal digits. Anything else is refused with an
 * `InvalidArgumentError`.
 *
 * @example
 * ```ts
 * const sameLt: Int64[] = [433_000_001n, 433_000_001, "433000001"];
 * ```
 */
export type Int64 = bigint | number | string;

const isOf = (type: string) => (value: unknown) => typeof value === type && value !== null;
const isObject = isOf("object");
const isRecord = (value: unknown) => isObject(value) && !Array.isArray(value);
const isEach = (of: (value: unknown) => unknown) => (value: unknown) => Array.isArray(value) && value.every(of);
/** What an object that acts, not one that tells, has to have as functions where it has it. */
const acts = ["acquire", "pause", "debug", "warn"];
const integer = (least: number) => (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least;
const int64 = (least: bigint) => (value: unknown) => {
  const exact =
    typeof value === "string" ? /^-?\d{1,20}$/.test(value) : typeof value === "bigint" || Number.isSafeInteger(value);
  return exact && BigInt(value as Int64) >= least && BigInt(value as Int64) < 2n ** 63n;
};
const upTo = "to 2^63-1 as a bigint, a safe integer or decimal digits";

/** Whether each kind accepts a value, by its answer or by throwing, and what it does accept. */
const kinds: Partial<Record<Kind, readonly [(value: unknown) => unknown, string]>> = {
  integer: [(value) => Number.isSafeInteger(typeof value === "bigint" ? Number(value) : value), "an integer"],
  int64: [int64(-(2n ** 63n)), `an integer from -2^63 ${upTo}`],
  natural: [int64(0n), `an integer from 0 ${upTo}`],
  url: [
    (value) => typeof value === "string" && /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/i.test(value) && new URL(value),
    "an absolute http(s) URL without credentials and query",
  ],
  // Only what a header takes: fetch would repeat anything else in its own error.
  key: [
    (value) => typeof value === "function" || (typeof value === "string" && /^[!-~]+$/.test(value)),
    "visible ASCII or a function",
  ],
  headers: [(value) => isRecord(value) && new Headers(value as HeadersInit), "an object of header names and values"],
  positive: [(value) => typeof value === "number" && value > 0, "a positive number"],
  count: [integer(0), "an integer from 0"],
  size: [integer(1), "an integer from 1"],
  switch: [
    (value) => value === false || (isRecord(value) && acts.every((name) => /^[uf]/.test(typeof Object(value)[name]))),
    "false or an object with the documented members",
  ],
  integers: [isEach(integer(0)), "a list of integers"],
  objects: [isEach(isObject), "a list of objects"],
  signal: [(value) => typeof Object(value).addEventListener === "function" && "aborted" in Object(value), "an AbortSignal"],
};

/** Throws an {@link InvalidArgumentError}. */
export function refuse(operation: string, message: string, cause?: unknown): never {
  throw new InvalidArgumentError(message, { operation, attempts: 0 }, { cause });
}

/**
 * Checks members by their kinds and returns them without those that are undefined. Refuses what is wrong by the member's name; what
 * may hold a secret is never shown.
 */
export function check(
  operation: string,
  given: object | null | undefined,
  accepted: Readonly<Record<string, Kind>>,
  required: readonly string[] = [],
): Record<string, unknown> {
  const checked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!Object.hasOwn(accepted, name)) {
      refuse(operation, `${name} is not accepted; accepted: ${Object.keys(accepted).join(", ") || "nothing"}`);
    }
    if (value === undefined) continue;
    const kind = accepted[name] as Kind;
    const [accepts, wanted] = kinds[kind] ?? [isOf(kind), `a value of type ${kind}`];
    if (!holds(accepts, value)) {
      const shown =
        typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : isObject(value) ? "an object" : String(value);
      refuse(operation, `${name}: ${wanted} is accepted${/key|headers|url/.test(kind) ? "" : `, not ${shown}`}`);
    }
    checked[name] = value;
  }
  for (const name of required) if (!(name in checked)) refuse(operation, `${name} is required`);
  return checked;
}

function holds(accepts: (value: unknown) => unknown, value: unknown): unknown {
  try {
    return accepts(value);
  } catch {
    return false;
  }
}
