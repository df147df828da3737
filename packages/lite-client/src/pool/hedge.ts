/** Milliseconds before a second server is asked: at least, and while there are too few answers to the function. */
const EARLIEST = 150;
const UNKNOWN = 1_000;
/** One query in 20 may be sent to a second server, and up to 10 at once. */
const SHARE = 0.05;
const BURST = 10;

const KEPT = 128;
/** Answers after which the percentile is computed again. */
const FRESH_FOR = 16;

/** Latencies of the answers by function. */
class SlowestAnswers {
  readonly #recent = new Map<string, { ms: number[]; p95: number | undefined; added: number }>();

  add(name: string, ms: number): void {
    const recent = this.#recent.get(name) ?? { ms: [], p95: undefined, added: 0 };
    this.#recent.set(name, recent);
    recent.ms.push(ms);
    if (recent.ms.length > KEPT) recent.ms.shift();
    recent.added += 1;
    if (recent.added % FRESH_FOR === 0) recent.p95 = recent.ms.toSorted((a, b) => a - b)[Math.floor(recent.ms.length * 0.95)];
  }

  /** The 95th percentile in milliseconds; undefined if there are too few answers. */
  p95(name: string): number | undefined {
    return this.#recent.get(name)?.p95;
  }
}

/** Sends slow queries to a second server too. */
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
