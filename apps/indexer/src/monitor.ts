import type { StepSource } from "@chain-query/format/store";
import type { IndexerEvent, WaitCause } from "./run-indexer.ts";
import type { SourceQueries } from "./sources/open-source.ts";

/**
 * The phases of an indexer: `starting` until it may write, `indexing` while it is behind the chain, `following` at its end, `standby` while
 * another indexer writes, `waiting` while the chain or the database is unavailable.
 */
export const phases = ["starting", "indexing", "following", "standby", "waiting"] as const;
type Phase = (typeof phases)[number];

/** The current state of an indexer. */
export interface IndexerState {
  readonly phase: Phase;
  /** The cause of `waiting` or `standby`, in one line. */
  readonly reason?: string;
  /** The last written step. */
  readonly head?: number;
  /** Time of its block, in Unix seconds. */
  readonly headTime?: number;
  /** The newest step of the source. */
  readonly newest?: number;
  /** Average of the last 30 seconds. */
  readonly stepsPerSecond: number;
  readonly transactionsPerSecond: number;
  /** Until the head is the newest step; absent at the end of the chain, and if the chain grows faster than the index. */
  readonly secondsLeft?: number;
  /** Queries to lite servers for each step, and those for accounts for each changed account. */
  readonly queriesPerStep?: number;
  readonly queriesPerAccount?: number;
  /** That the steps of the source are not verified, in one line. */
  readonly warning?: string;
  /** Present if the chain has made more steps than were written in the last seconds. */
  readonly fallsBehind?: FallingBehind;
}

/** By how much an index is behind a chain that is faster. */
export interface FallingBehind {
  readonly steps: number;
  /** In which the chain makes these steps. */
  readonly seconds: number;
  readonly chainStepsPerSecond: number;
  /** Queries to lite servers per second: to follow the chain, as sent now, and as allowed by `--lite-rate`. */
  readonly queries?: { readonly needed: number; readonly sent: number; readonly limit: number };
}

interface Sample {
  readonly at: number;
  readonly head: number;
  readonly newest: number;
  readonly transactions: number;
  readonly accounts: number;
  readonly queries: SourceQueries | undefined;
}

/** Up to this number of steps behind the chain, the indexer is at its end: the next commit has them. */
const NEAR = 5;
/** Milliseconds of a commit after which the database counts as unavailable. */
const LONGEST_COMMIT = 15_000;
/** Milliseconds. */
const WINDOW = 30_000;
/** Milliseconds after which the speeds of chain and index are compared. */
const COMPARED = 20_000;

/** Computes the state of an indexer from its events and the head of its source. */
export class IndexerMonitor {
  /** A problem of the source that does not end. */
  warning: string | undefined;
  readonly #now: () => number;
  #wait: { readonly cause: WaitCause; readonly reason: string } | undefined;
  #head: number | undefined;
  #headTime: number | undefined;
  #newest: number | undefined;
  #sourceProblem: string | undefined;
  #transactions = 0;
  #accounts = 0;
  #samples: Sample[] = [];
  #progressAt: number;

  /** @param now - A monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#progressAt = now();
  }

  record(event: IndexerEvent): void {
    this.#progressAt = this.#now();
    if (event.type === "waits") {
      this.#wait = event;
      // Another indexer writes meanwhile. Other pauses count: an index that often waits falls behind, too.
      if (event.cause === "lease") this.#samples = [];
      return;
    }
    this.#wait = undefined;
    this.#head = event.head;
    if (event.type !== "wrote") return;
    this.#headTime = event.time;
    this.#transactions += event.transactions;
    this.#accounts += event.accounts;
  }

  /** Reads the head of the source, and takes a sample for the speed. Call it about once a second. */
  async sample(source: Pick<StepSource, "newest">, queries?: SourceQueries): Promise<void> {
    try {
      this.#newest = await source.newest();
      this.#sourceProblem = undefined;
    } catch (error) {
      this.#sourceProblem = error instanceof Error ? error.message : String(error);
    }
    const newest = this.#newest;
    if (this.#head === undefined || newest === undefined || this.#wait?.cause === "lease") return;
    if (this.#head >= newest) this.#progressAt = this.#now();
    const at = this.#now();
    const { transactions, accounts } = { transactions: this.#transactions, accounts: this.#accounts };
    this.#samples.push({ at, head: this.#head, newest, transactions, accounts, queries });
    this.#samples = this.#samples.filter((taken) => at - taken.at <= WINDOW);
  }

  get state(): IndexerState {
    const { steps, transactions, growth, span, accounts, queries } = this.#speeds();
    const behind = this.#behind();
    const secondsLeft = behind > NEAR && steps > growth ? behind / (steps - growth) : undefined;
    const reason = this.#reason();
    const perStep = queries && steps > 0 ? queries.all / steps : undefined;
    const perAccount = queries && accounts > 0 ? queries.ofAccounts / accounts : undefined;
    const fallsBehind: FallingBehind | undefined =
      behind > NEAR && growth > steps && span >= COMPARED
        ? {
            ...{ steps: behind, seconds: behind / growth, chainStepsPerSecond: growth },
            ...(queries &&
              perStep !== undefined && { queries: { needed: perStep * growth, sent: queries.all, limit: queries.limit } }),
          }
        : undefined;
    return {
      phase: this.#phase(reason, behind),
      ...(reason !== undefined && { reason }),
      ...(this.warning !== undefined && { warning: this.warning }),
      ...(this.#head !== undefined && { head: this.#head }),
      ...(this.#headTime !== undefined && { headTime: this.#headTime }),
      ...(this.#newest !== undefined && { newest: this.#newest }),
      stepsPerSecond: steps,
      transactionsPerSecond: transactions,
      ...(secondsLeft !== undefined && { secondsLeft }),
      ...(perStep !== undefined && { queriesPerStep: perStep }),
      ...(perAccount !== undefined && { queriesPerAccount: perAccount }),
      ...(fallsBehind !== undefined && { fallsBehind }),
    };
  }

  #phase(reason: string | undefined, behind: number): Phase {
    if (this.#wait?.cause === "lease") return "standby";
    if (reason !== undefined) return "waiting";
    if (this.#head === undefined || this.#newest === undefined) return "starting";
    return behind > NEAR ? "indexing" : "following";
  }

  #reason(): string | undefined {
    if (this.#wait !== undefined) return this.#wait.reason;
    if (this.#sourceProblem !== undefined) return this.#sourceProblem;
    // The first commit may contain a large zero state.
    if (this.#headTime === undefined) return undefined;
    const idle = this.#now() - this.#progressAt;
    if (idle < LONGEST_COMMIT) return undefined;
    return `no step was written for ${Math.round(idle / 1000)} s`;
  }

  #behind(): number {
    return Math.max(0, (this.#newest ?? 0) - (this.#head ?? 0));
  }

  /** Per second, averaged over the samples; 0 while the indexer waits. */
  #speeds() {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (this.#wait !== undefined || first === undefined || last === undefined || last.at === first.at)
      return { steps: 0, transactions: 0, accounts: 0, growth: 0, span: 0, queries: undefined };
    const span = last.at - first.at;
    const perSecond = (from: number, to: number): number => (to - from) / (span / 1000);
    return {
      span,
      steps: perSecond(first.head, last.head),
      transactions: perSecond(first.transactions, last.transactions),
      accounts: perSecond(first.accounts, last.accounts),
      growth: perSecond(first.newest, last.newest),
      queries: first.queries &&
        last.queries && {
          all: perSecond(first.queries.all, last.queries.all),
          ofAccounts: perSecond(first.queries.ofAccounts, last.queries.ofAccounts),
          limit: last.queries.limit,
        },
    };
  }
}
