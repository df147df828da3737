/** Checks what a caller passes. */
import { InvalidArgumentError } from "../errors.ts";

/** What a value has to be: an integer of the contract, what `typeof` says, or a rule. */
export type Kind = IntegerKind | "string" | "boolean" | "object" | Rule;

/**
 * An integer within bounds. It is sent as a JSON number, or as decimal digits, which keep all bits. Without bounds it has 64 bits,
 * signed or unsigned, and is sent as signed.
 */
export type IntegerKind = readonly [sentAs: "number" | "decimal", least?: number | bigint, most?: number | bigint];

/** Accepts a value by a truthy result, and refuses it by a falsy one or by throwing. A secret is not shown in messages. */
export type Rule = readonly [accepts: (value: unknown) => unknown, accepted: string, isSecret?: boolean];

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

/** An API key: only characters that a header accepts, because for others `fetch` throws an error that contains the key. */
export const keyRule: Rule = [
  (value) => typeof value === "function" || (typeof value === "string" && /^[!-~]+$/.test(value)),
  "visible ASCII or a function",
  true,
];

const lowestBit = (value: bigint): bigint => value & -value;

/** Whether the text is the usual hexadecimal form of a shard. Its digits may all be decimal: then the rounder number is meant. */
function isHexadecimal(text: string): boolean {
  if (!/^(0x)?[\da-f]{16}$/i.test(text)) return false;
  return !/^\d+$/.test(text) || lowestBit(BigInt(`0x${text}`)) > lowestBit(BigInt(text));
}

function integerRule([sentAs, least, most = 2n ** (least === undefined ? 64n : 63n) - 1n]: IntegerKind): Rule {
  const lowest = least ?? -(2n ** 63n);
  const isExact = (value: unknown): value is Int64 =>
    typeof value === "string"
      ? /^-?\d{1,20}$/.test(value) && (least !== undefined || !isHexadecimal(value))
      : typeof value === "bigint" || Number.isSafeInteger(value);
  return [
    (value) => isExact(value) && BigInt(value) >= lowest && BigInt(value) <= most,
    `an integer from ${lowest} to ${most}${sentAs === "decimal" ? " as bigint, safe integer or decimal digits" : ""}`,
  ];
}

function ruleOf(kind: Kind): Rule {
  if (typeof kind !== "string") return typeof kind[0] === "function" ? (kind as Rule) : integerRule(kind as IntegerKind);
  return [(value) => typeof value === kind && value !== null, `a${kind === "object" ? "n" : ""} ${kind}`];
}

/** Shows a value in a message: a primitive as it is, an object or a secret by its type. */
function shown(value: unknown, isSecret?: boolean): string {
  const isObject = Object(value) === value;
  if (typeof value === "string" && !isSecret) return JSON.stringify(value.slice(0, 80));
  if (!isObject && !(isSecret && value)) return String(value);
  const type = isObject ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
  return `${/^[AEIO]/.test(type) ? "an" : "a"} ${type}`;
}

/** Throws an {@link InvalidArgumentError}. */
export function refuse(operation: string, message: string, cause?: unknown): never {
  throw new InvalidArgumentError(message, { operation, attempts: 0 }, { cause });
}

/**
 * Checks members by their kinds and returns them in the order of the kinds, without those that are undefined. An error names the
 * member, what it must be and what was passed.
 */
export function check(
  operation: string,
  given: object | null | undefined,
  accepted: Readonly<Record<string, Kind>>,
  required: readonly string[] = [],
  what = "input",
): Record<string, unknown> {
  const names = Object.keys(accepted).join(", ");
  const passed: Readonly<Record<string, unknown>> = { ...given };
  if (given && (typeof given !== "object" || Array.isArray(given))) {
    refuse(operation, `${what} must be an object, { ${names} }, got ${shown(given, true)}`);
  }
  for (const name in passed) {
    if (!Object.hasOwn(accepted, name)) refuse(operation, `${what} must be among ${names || "nothing"}, got ${name}`);
  }
  const checked: Record<string, unknown> = {};
  for (const name in accepted) {
    const value = passed[name];
    if (value === undefined && !required.includes(name)) continue;
    const [accepts, wanted, isSecret] = ruleOf(accepted[name] as Kind);
    let isAccepted: unknown;
    try {
      isAccepted = accepts(value);
    } catch {
      // A URL or header that its own class refuses.
    }
    if (!isAccepted) {
      const hint = typeof value === "string" && isHexadecimal(value) ? `; write 0x${value.replace(/^0x/, "")}n` : "";
      refuse(operation, `${name} must be ${wanted}, got ${shown(value, isSecret)}${hint}`);
    }
    checked[name] = value;
  }
  return checked;
}
