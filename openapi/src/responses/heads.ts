/**
 * The headers with which a request names a head (D-51) or asks for a proof (D-53), and those of a response that may be stored (D-52). Works in browsers.
 *
 * @module
 */

const highest = 2 ** 32 - 1;

/**
 * The lowest head that a request names in chain-min-head; undefined if it names none.
 *
 * @throws RangeError if the header is no seqno; its message begins with the header's name.
 */
export function lowestHead(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seqno = /^\d{1,10}$/.test(header) ? Number(header) : Number.NaN;
  if (seqno <= highest) return seqno;
  throw new RangeError(`chain-min-head: expected an integer from 0 to ${highest}`);
}

/** The parameters of the preference `proof` (D-53). */
export interface ProofPreference {
  /** The seqno of a head that the caller has verified. */
  readonly head?: number;
  /** The seqno of the key block that the caller trusts; 0 is the zero state. */
  readonly key?: number;
}

/** What a request prefers. */
export interface Preferences {
  /** Seconds. */
  readonly wait?: number;
  readonly proof?: ProofPreference;
}

/** The preferences of a `Prefer` header (RFC 7240). One that cannot be read is ignored, as any preference may be. */
export function preferencesIn(prefer: string | undefined): Preferences {
  const found: { wait?: number; proof?: ProofPreference } = {};
  for (const one of prefer?.split(",") ?? []) {
    const [preference = "", ...parameters] = one.split(";").map(plain);
    if (/^wait=\d+$/.test(preference)) found.wait ??= Number(preference.slice(5));
    if (preference === "proof" && parameters.every((text) => /^(head|key)=\d{1,10}$/.test(text)))
      found.proof ??= Object.fromEntries(
        parameters.map((text) => text.split("=")).map(([name, seqno]) => [name, Number(seqno)]),
      );
  }
  return found;
}

/** A preference or a parameter in lower case, without the spaces and quotes that it may have. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[\s"]/g, "");
}

/** The error of a response of reason "behind". */
export function behindText(seqno: number, lowest: number): string {
  const advice = "ask again, or wait for it with Prefer: wait=10";
  return `the head of this node is ${seqno}, below the ${lowest} of chain-min-head; ${advice}`;
}

/** Headers of a response that may be stored. Days rather than years, and not immutable: an error in a decoder can be corrected. */
export const storableHeaders = {
  "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
  vary: "Prefer, chain-min-head, Accept-Encoding",
} as const;

/** Whether an If-None-Match has a tag (RFC 9110, section 13.1.2). */
export function hasTag(header: string | undefined, etag: string): boolean {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes("*") || tags.includes(etag);
}
