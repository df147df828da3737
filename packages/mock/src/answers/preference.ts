/** Parses the `Prefer` header, with which a request selects its answer. */
import { Refusal } from "./exchange.ts";

/** Selects an answer. */
export interface Preference {
  readonly code?: number;
  /** The name of an example. */
  readonly example?: string;
  /** Whether to generate the answer from its schema. */
  readonly dynamic?: boolean;
}

/**
 * Reads `code`, `example` and `dynamic` from a `Prefer` header; undefined if it has none of them.
 *
 * @throws Refusal with 422 if one of them has an invalid value.
 *
 * @example
 * ```ts
 * parsePreference("code=429, example=rate-limited"); // { code: 429, example: "rate-limited" }
 * ```
 */
export function parsePreference(header: string | undefined): Preference | undefined {
  if (header === undefined) return undefined;
  const pairs = header.split(/[,;]/).map((pair): [string, string] => {
    const [name = "", ...value] = pair.split("=");
    return [name.trim().toLowerCase(), unquoted(value.join("=").trim())];
  });
  const { code, example, dynamic } = Object.fromEntries(pairs);
  if (code === undefined && example === undefined && dynamic === undefined) return undefined;
  return {
    ...(code === undefined ? {} : { code: parseStatus(code) }),
    ...(example === undefined ? {} : { example }),
    ...(dynamic === undefined ? {} : { dynamic: parseBoolean(dynamic) }),
  };
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, "$1");
}

function parseStatus(code: string): number {
  // A status below 200 is not final: the client would wait for another response.
  if (/^([2-5]\d\d|600)$/.test(code)) return Number(code);
  throw new Refusal(422, `Prefer: code=${code}: expected a status from 200 to 600`);
}

function parseBoolean(dynamic: string): boolean {
  if (dynamic === "true" || dynamic === "false") return dynamic === "true";
  throw new Refusal(422, `Prefer: dynamic=${dynamic}: expected true or false`);
}
