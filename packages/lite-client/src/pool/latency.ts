/** Weight of the newest answer in the average. */
const WEIGHT = 0.25;
/** Milliseconds after which an average counts half: a server that is not asked gets the chance to be faster. */
const HALF_LIFE = 30_000;

/** The average latency of one server, with more weight on recent answers. */
export class Latency {
  #average: number | undefined;
  #at = 0;

  /** Milliseconds; undefined before the first answer. */
  get average(): number | undefined {
    return this.#average;
  }

  add(ms: number): void {
    this.#average = this.#average === undefined ? ms : this.#average + WEIGHT * (ms - this.#average);
    this.#at = performance.now();
  }

  /** The average for comparisons: it fades while there are no answers. */
  get expected(): number {
    return (this.#average ?? 0) * 2 ** ((this.#at - performance.now()) / HALF_LIFE);
  }
}

const KEPT = 128;
/** Answers after which the percentile is computed again. */
const FRESH_FOR = 16;

/** How long the answers to each function take, to know which queries are late. */
export class SlowestAnswers {
  readonly #recent = new Map<string, { ms: number[]; p95: number | undefined; added: number }>();

  add(name: string, ms: number): void {
    const recent = this.#recent.get(name) ?? { ms: [], p95: undefined, added: 0 };
    this.#recent.set(name, recent);
    recent.ms.push(ms);
    if (recent.ms.length > KEPT) recent.ms.shift();
    recent.added += 1;
    if (recent.added % FRESH_FOR === 0) recent.p95 = recent.ms.toSorted((a, b) => a - b)[Math.floor(recent.ms.length * 0.95)];
  }

  /** Milliseconds within which 19 of 20 answers to this function came; undefined as long as there were few. */
  p95(name: string): number | undefined {
    return this.#recent.get(name)?.p95;
  }
}
