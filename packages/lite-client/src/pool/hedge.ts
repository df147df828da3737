import { SlowestAnswers } from "./latency.ts";

/** Milliseconds before a second server is asked, at least; and as long as too few answers to the function were seen. */
const EARLIEST = 150;
const UNKNOWN = 1_000;
/** One query in 20 may have a second one, and so many at once. */
const SHARE = 0.05;
const BURST = 10;

/** Decides when a query that takes long is sent to a second server too. */
export class Hedges {
  readonly #slowest = new SlowestAnswers();
  #budget = BURST;

  answered(name: string, ms: number): void {
    this.#slowest.add(name, ms);
  }

  /**
   * The first valid result of one or two attempts. Throws the error of the first, or an AggregateError of both.
   *
   * @param startSecond - Undefined if no other server is free.
   */
  async race<Result>(name: string, first: Promise<Result>, startSecond: () => Promise<Result> | undefined): Promise<Result> {
    this.#budget = Math.min(BURST, this.#budget + SHARE);
    if (this.#budget < 1) return await first;
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(() => late.resolve("late"), Math.max(EARLIEST, this.#slowest.p95(name) ?? UNKNOWN));
    try {
      const ended = first.then(
        () => "ended" as const,
        () => "ended" as const,
      );
      if ((await Promise.race([ended, late.promise])) === "ended") return await first;
    } finally {
      clearTimeout(timer);
    }
    const second = startSecond();
    if (!second) return await first;
    this.#budget -= 1;
    return await Promise.any([first, second]);
  }
}
