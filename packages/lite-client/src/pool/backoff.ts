const FIRST = 1_000;
const LONGEST = 60_000;
/** A server that has worked this long starts again at the shortest pause. */
const RECOVERED_AFTER = 10_000;

/**
 * How long a failing server is left alone: 1 s, then twice as long after each failure, up to 60 s, each shortened by up to a half so
 * that the servers of a pool do not come back together. Never for good.
 */
export class Backoff {
  #failures = 0;
  #worksSince: number | undefined;

  /** The server answers. */
  succeed(): void {
    this.#worksSince ??= performance.now();
  }

  /** The server failed. Returns the whole milliseconds until it is to be tried again. */
  fail(): number {
    if (this.#worksSince !== undefined && performance.now() - this.#worksSince >= RECOVERED_AFTER) this.#failures = 0;
    this.#worksSince = undefined;
    const longest = Math.min(LONGEST, FIRST * 2 ** this.#failures);
    this.#failures += 1;
    return Math.round(longest * (1 - Math.random() / 2));
  }
}
