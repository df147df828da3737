import { Refusal } from "./exchange.ts";

/** Which answer the caller asks for with the `Prefer` header. */
export interface Preference {
  code?: number;
  example?: string;
}

/**
 * Reads `code` and `example` from a `Prefer` header and leaves its other preferences alone.
 *
 * @example
 * ```ts
 * preferenceIn("code=429, example=rate-limited"); // { code: 429, example: "rate-limited" }
 * ```
 */
export function preferenceIn(header: string | undefined): Preference {
  const pairs = (header ?? "").split(/[,;]/).map((pair): [string, string] => {
    const [name = "", ...value] = pair.split("=");
    return [
      name.trim().toLowerCase(),
      value
        .join("=")
        .trim()
        .replace(/^"(.*)"$/, "$1"),
    ];
  });
  const { code, example } = Object.fromEntries(pairs);
  return { ...(code === undefined ? {} : { code: status(code) }), ...(example === undefined ? {} : { example }) };
}

function status(code: string): number {
  // Below 200 a client would go on waiting for the real answer.
  if (/^([2-5]\d\d|600)$/.test(code)) return Number(code);
  throw new Refusal(422, `Prefer: code=${code}: a status from 200 to 600 is accepted`);
}
