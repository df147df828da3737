/** Explains which arguments are accepted. Browser builds for production take no-explain.ts in place of this file: see `imports` in package.json. */
import type { IntegerKind, Kind } from "../operations/int64.ts";
import { aType, shown, unknownMember } from "./rules.ts";

/** Says why a member of an input is rejected, or a wrong choice of members. */
export type Explain = (
  name: string,
  given: unknown,
  kinds: Readonly<Record<string, Kind>>,
  oneOf?: readonly string[],
) => string;

export const explain: Explain = (name, given, kinds, oneOf) => {
  const names = Object.keys(kinds).join(", ");
  if (given && (typeof given !== "object" || Array.isArray(given))) {
    return `input must be an object, { ${names} }, got ${shown(given, true)}`;
  }
  if (oneOf) return `input must have exactly one of ${oneOf.join(", ")}, got ${name || "none"}`;
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) return unknownMember("input", names, name);
  const value: unknown = Object(given)[name];
  const isHexadecimal = typeof kind === "object" && typeof value === "string" && /^(0x)?[\da-f]{16}$/i.test(value);
  const hint = isHexadecimal ? `; write 0x${value.replace(/^0x/i, "")}n` : "";
  return `${name} must be ${accepted(kind)}, got ${shown(value)}${hint}`;
};

/** The accepted values of a kind. */
export function accepted(kind: Kind): string {
  return typeof kind === "string" ? aType(kind) : anInteger(kind);
}

function anInteger([sentAs, least, most = 2n ** (least === undefined ? 64n : 63n) - 1n]: IntegerKind): string {
  const forms = sentAs === "decimal" ? " as bigint, safe integer or decimal digits" : "";
  return `an integer from ${least ?? -(2n ** 63n)} to ${most}${forms}`;
}

/** A hint for a 500. */
export const historyHint = (members: object, wire: Readonly<Record<string, unknown>>): string =>
  "archival" in members && wire["archival"] !== true ? "; archival: true may reach older history" : "";
