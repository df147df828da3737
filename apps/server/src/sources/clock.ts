/** The head of a chain that the service produces, compared with the clock. */

/** The time at which the next block is made, in Unix seconds; undefined unless the head is later than the clock by over an interval. */
export function aheadUntil(headTime: number, blockInterval: number): number | undefined {
  return headTime - Date.now() / 1000 > blockInterval ? headTime + blockInterval : undefined;
}

/** A time in Unix seconds as text, without milliseconds. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
