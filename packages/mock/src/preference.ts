import { Refusal } from "./exchange.ts";

/** Which answer is wanted: by the `Prefer` header, by an override, or because it fits the question. */
export interface Preference {
  code?: number;
  example?: string;
  /** Whether the answer is made from its schema. */
  dynamic?: boolean;
}

/**
 * Reads `code`, `example` and `dynamic` from a `Prefer` header and leaves its other preferences alone.
 *
 * @example
 * ```ts
 * preferenceIn("code=429, example=rate-limited"); // { code: 429, example: "rate-limited" }
 * ```
 */
export function preferenceIn(header: string | undefined): Preference {
  if (header === undefined) return {};
  const pairs = header.split(/[,;]/).map((pair): [string, string] => {
    const [name = "", ...value] = pair.split("=");
    return [
      name.trim().toLowerCase(),
      value
        .join("=")
        .trim()
        .replace(/^"(.*)"$/, "$1"),
    ];
  });
  const { code, example, dynamic } = Object.fromEntries(pairs);
  return {
    ...(code === undefined ? {} : { code: status(code) }),
    ...(example === undefined ? {} : { example }),
    ...(dynamic === undefined ? {} : { dynamic: truth(dynamic) }),
  };
}

function status(code: string): number {
  // Below 200 a client would go on waiting for the real answer.
  if (/^([2-5]\d\d|600)$/.test(code)) return Number(code);
  throw new Refusal(422, `Prefer: code=${code}: a status from 200 to 600 is accepted`);
}

function truth(dynamic: string): boolean {
  if (dynamic === "true" || dynamic === "false") return dynamic === "true";
  throw new Refusal(422, `Prefer: dynamic=${dynamic}: true or false is accepted`);
}
