/** Rules for options and inputs, and the messages of violations: "must be X, got Y". */
import { InvalidArgumentError } from "../errors.ts";
import type { Kind } from "../operations/int64.ts";

/** Accepts a value by a truthy result, and rejects it by a falsy one or by throwing. A secret is not shown in messages. */
export type Rule = readonly [accepts: (value: unknown) => unknown, accepted: string, isSecret?: boolean];

export const isFunction = (value: unknown): boolean => typeof value === "function";

export const positiveRule: Rule = [(value) => typeof value === "number" && value > 0, "a positive number"];
export const callbackRule: Rule = [isFunction, "a function"];
export const booleanRule: Rule = [(value) => typeof value === "boolean", "a boolean"];
export const signalRule: Rule = [
  (value) => isFunction(Object(value).addEventListener) && "aborted" in Object(value),
  "an AbortSignal",
];

export function integerRule(least: number, most: number = Number.MAX_SAFE_INTEGER): Rule {
  const isWithin = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
  return [isWithin, `an integer from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ""}`];
}

/** Decimal digits that are the hexadecimal form of a shard, such as 8000000000000000. */
const hexadecimalShard = /^\d{4}0{12}$/;

/** Bounds of 64 bits. */
const leastSigned = -0x8000_0000_0000_0000n;
const mostSigned = 0x7fff_ffff_ffff_ffffn;
const mostUnsigned = 0xffff_ffff_ffff_ffffn;

/** Whether a value is of a kind. */
export function matchesKind(kind: Kind, value: unknown): boolean {
  if (typeof kind === "string") return typeof value === kind;
  const least = kind[1];
  const isExact =
    typeof value === "string"
      ? /^-?\d{1,20}$/.test(value) && (least !== undefined || !hexadecimalShard.test(value))
      : typeof value === "bigint" || Number.isSafeInteger(value);
  if (!isExact) return false;
  // Numbers and bigints compare with each other.
  const integer = typeof value === "string" ? BigInt(value) : (value as number | bigint);
  const most = kind[2] ?? (least === undefined ? mostUnsigned : mostSigned);
  return integer >= (least ?? leastSigned) && integer <= most;
}

/** Throws an `InvalidArgumentError` for an option that is unknown, wrong or missing. Returns those that are not undefined. */
export function check(
  where: string,
  given: unknown,
  rules: Readonly<Record<string, Rule>>,
  required: readonly string[] = [],
  unknown: typeof unknownMember = unknownMember,
): Record<string, unknown> {
  const names = Object.keys(rules).join(", ");
  if (given && (typeof given !== "object" || Array.isArray(given))) {
    throwInvalidValue(where, "options", `an object, { ${names} }`, formatValue(given, true));
  }
  const passed: Record<string, unknown> = { ...Object(given) };
  for (const name in passed) if (!Object.hasOwn(rules, name)) throwInvalid(where, unknown("options", names, name));
  for (const [name, [accepts, accepted, isSecret]] of Object.entries(rules)) {
    const value = passed[name];
    if (value === undefined && !required.includes(name)) continue;
    if (!passes(accepts, value)) throwInvalidValue(where, name, accepted, formatValue(value, isSecret));
  }
  return Object.fromEntries(Object.entries(passed).filter(([, value]) => value !== undefined));
}

/** Whether a rule accepts a value. */
export function passes(accepts: Rule[0], value: unknown): boolean {
  try {
    return Boolean(accepts(value));
  } catch {
    // A URL or header that its own class rejects.
    return false;
  }
}

/** Throws an `InvalidArgumentError`. */
export function throwInvalid(operation: string, message: string, cause?: unknown): never {
  throw new InvalidArgumentError(message, { operation, attempts: 0 }, { cause });
}

/** Throws an `InvalidArgumentError` that shows the passed value. */
export function throwInvalidValue(where: string, name: string, accepted: string, got: string): never {
  throwInvalid(where, `${name} must be ${accepted}, got ${got}`);
}

export function unknownMember(what: string, names: string, name: string): string {
  return `${what} must be among ${names || "nothing"}, got ${name}`;
}

/** Shows a value: a primitive as it is, an object or a secret that is not empty by its type. */
export function formatValue(value: unknown, isSecret?: boolean): string {
  const isObject = Object(value) === value;
  if (typeof value === "string" && !(isSecret && value)) return JSON.stringify(value.slice(0, 80));
  if (!isObject && !(isSecret && value)) return String(value);
  return withArticle(isObject ? Object.prototype.toString.call(value).slice(8, -1) : typeof value);
}

export function withArticle(type: string): string {
  return `${/^[aeio]/i.test(type) ? "an" : "a"} ${type}`;
}
