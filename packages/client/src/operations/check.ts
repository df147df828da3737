/** Checks the options and inputs that a caller passes. */
import { InvalidArgumentError } from "../errors.ts";

/** What a value has to be: an integer of the contract, one of the options' kinds, or what `typeof` says. */
export type Kind = IntegerKind | OptionKind | "string" | "boolean" | "function" | "object";

/** An integer within bounds, by default those of 64 bits. It is sent as a JSON number, or as decimal digits, which keep all bits. */
export type IntegerKind = readonly [sentAs: "number" | "decimal", least?: number | bigint, most?: number | bigint];

/** Kinds of options. */
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
 * A signed 64-bit integer: a bigint, a safe integer, or decimal digits. Anything else throws an `InvalidArgumentError`.
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
/** Members of limiters and loggers, which must be functions if present. */
const methods = ["acquire", "pause", "debug", "warn"];
const integer = (least: number) => (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least;
type Rule = readonly [accepts: (value: unknown) => unknown, accepted: string];

function integerRule([sentAs, least = -(2n ** 63n), most = 2n ** 63n - 1n]: IntegerKind): Rule {
  const decimal = sentAs === "decimal";
  const isExact = (value: unknown): value is Int64 =>
    typeof value === "string"
      ? decimal && /^-?\d{1,20}$/.test(value)
      : typeof value === "bigint" || Number.isSafeInteger(value);
  return [
    (value) => isExact(value) && BigInt(value) >= least && BigInt(value) <= most,
    `an integer from ${least} to ${most}${decimal ? " as bigint, safe integer or decimal digits" : ""}`,
  ];
}

/** Accepts a value by a truthy result, and refuses it by a falsy one or by throwing. */
const rules: Readonly<Partial<Record<OptionKind, Rule>>> = {
  url: [
    (value) => typeof value === "string" && /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/i.test(value) && new URL(value),
    "an http(s) URL without credentials and query",
  ],
  // Only characters that a header accepts: for others fetch throws an error that contains the key.
  key: [
    (value) => typeof value === "function" || (typeof value === "string" && /^[!-~]+$/.test(value)),
    "visible ASCII or a function",
  ],
  headers: [(value) => isRecord(value) && new Headers(value as HeadersInit), "an object of headers"],
  positive: [(value) => typeof value === "number" && value > 0, "a positive number"],
  count: [integer(0), "an integer from 0"],
  size: [integer(1), "an integer from 1"],
  switch: [
    (value) => value === false || (isRecord(value) && methods.every((name) => /^[uf]/.test(typeof Object(value)[name]))),
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
 * Checks members by their kinds and drops those that are undefined. An error names the member; values that may hold a secret are
 * never shown.
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
    const [accepts, wanted] =
      typeof kind === "object" ? integerRule(kind) : (rules[kind as OptionKind] ?? [isOf(kind), `a value of type ${kind}`]);
    let isAccepted: unknown;
    try {
      isAccepted = accepts(value);
    } catch {
      // A URL or header that its own class refuses.
    }
    if (!isAccepted) {
      const shown =
        typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : isObject(value) ? "an object" : String(value);
      refuse(operation, `${name}: ${wanted} is accepted${/key|headers|url/.test(`${kind}`) ? "" : `, not ${shown}`}`);
    }
    checked[name] = value;
  }
  for (const name of required) if (!(name in checked)) refuse(operation, `${name} is required`);
  return checked;
}
