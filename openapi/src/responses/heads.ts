/**
 * The headers with which a request names a head (D-51), and those of a response that may be stored (D-52). Works in browsers.
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

/** The seconds of the preference `wait` (RFC 7240, section 4.3). One that cannot be read is ignored, as any preference may be. */
export function preferredWait(prefer: string | undefined): number | undefined {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?:[,;]|$)/i.exec(prefer ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds);
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
