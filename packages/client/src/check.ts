/** Checks what a caller hands in, option or input, and tells what is accepted where it is wrong. */
import { InvalidArgumentError } from "./errors.ts";

/** What a value has to be: one of the contract's kinds of input, or one of the options'. */
export type Kind = "text" | "flag" | "integer" | "int64" | "natural" | OptionKind;
export type OptionKind = "url" | "key" | "positive" | "count" | "object" | "switchable" | "rate" | "function" | "list";

/** A 64-bit integer: a bigint, a safe integer, or decimal digits. */
export type Int64 = bigint | number | string;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const only =
  (accepts: (value: unknown) => boolean) =>
  (value: unknown): unknown =>
    accepts(value) ? value : undefined;
const is = (type: string) => only((value) => typeof value === type);

/** What each kind makes of a value, nothing where it is not accepted, and what is. */
const kinds: Record<Kind, readonly [(value: unknown) => unknown, string]> = {
  text: [is("string"), "a string"],
  flag: [is("boolean"), "true or false"],
  integer: [(value) => only(Number.isSafeInteger)(typeof value === "bigint" ? Number(value) : value), "an integer"],
  int64: [
    (value) => decimal(value, -(2n ** 63n)),
    "an integer from -2^63 to 2^63-1 as a bigint, a safe integer or decimal digits",
  ],
  natural: [(value) => decimal(value, 0n), "an integer from 0 to 2^63-1 as a bigint, a safe integer or decimal digits"],
  url: [
    only((value) => URL.canParse(String(value)) && /^https?:[^?#]+$/.test(String(value))),
    "an absolute http(s) URL without a query",
  ],
  // A header takes visible ASCII only, and fetch would repeat any other key in its own error.
  key: [
    only((value) => typeof value === "function" || (typeof value === "string" && /^[!-~]+$/.test(value))),
    "visible ASCII or a function",
  ],
  positive: [only((value) => typeof value === "number" && value > 0), "a positive number"],
  count: [only((value) => Number.isSafeInteger(value) && Number(value) >= 0), "a whole number"],
  object: [only(isObject), "an object"],
  switchable: [only((value) => value === false || isObject(value)), "an object or false"],
  rate: [only((value) => value === false || isRate(value)), "{ requests, perMs, maxConcurrency? }, a Limiter or false"],
  function: [is("function"), "a function"],
  list: [only(Array.isArray), "a list"],
};

/**
 * Checks members by their kinds, leaves out those that are undefined, and returns them as each kind makes them, under the names
 * that `rename` gives. Throws an {@link InvalidArgumentError} that names the member; values of a key are never shown.
 */
export function check(
  operation: string,
  given: object,
  accepted: Readonly<Record<string, Kind>>,
  required: readonly string[] = [],
  rename: (name: string) => string = (name) => name,
): Record<string, unknown> {
  const fail = (message: string): never => {
    throw new InvalidArgumentError(message, { operation, attempts: 0 });
  };
  const checked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(accepted, name) ? accepted[name] : undefined;
    if (kind === undefined) return fail(`${name} is not accepted; accepted: ${Object.keys(accepted).join(", ") || "nothing"}`);
    if (value === undefined) continue;
    const [make, wanted] = kinds[kind];
    checked[rename(name)] = make(value) ?? fail(`${name}${kind === "key" ? "" : ` ${shown(value)}`}: ${wanted} is accepted`);
  }
  for (const name of required) if (!(rename(name) in checked)) fail(`${name} is required`);
  return checked;
}

/** The canonical decimal digits of an integer below 2^63, or nothing where it is none. */
function decimal(value: unknown, least: bigint): string | undefined {
  const exact =
    typeof value === "number" ? Number.isSafeInteger(value) : typeof value === "bigint" || /^-?\d{1,20}$/.test(String(value));
  const integer = exact ? BigInt(value as Int64) : least - 1n;
  return integer >= least && integer < 2n ** 63n ? String(integer) : undefined;
}

function isRate(value: unknown): boolean {
  if (!isObject(value) || "acquire" in value) return isObject(value);
  const { requests, perMs, maxConcurrency = 1 } = value as Record<string, number>;
  return Number.isSafeInteger(requests) && Number(requests) > 0 && Number(perMs) > 0 && maxConcurrency >= 1;
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : isObject(value) ? typeof value : String(value);
}
