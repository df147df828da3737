import { LiteError } from "../wire/lite-error.ts";

/** Limits the queries to servers of one or more reads. */
export interface LiteBudget {
  /** Called before a query, which waits for the promise. The read ends with the error if this throws or rejects. */
  spend(): Promise<void> | undefined;
  /** Called when the same query is sent to another server too, because the answer of the first one is wrong or late. */
  repeat(): void;
}

/** Counts the queries that a call sends to servers, and ends the call when they are too many. */
export class QueryBudget implements LiteBudget {
  sent = 0;
  /** Whether a query was not sent. */
  isExhausted = false;
  readonly #most: number;
  readonly #caller: LiteBudget | undefined;

  /**
   * @param most - `Infinity` for no limit.
   * @param caller - The budget of the caller, which pays for the same queries.
   */
  constructor(most: number, caller?: LiteBudget) {
    this.#most = most;
    this.#caller = caller;
  }

  /** Counts the first query of a read. @throws LiteError of kind "exhausted" */
  spend(): Promise<void> | undefined {
    if (this.sent >= this.#most) {
      this.isExhausted = true;
      throw new LiteError(
        "exhausted",
        `the search takes more than ${this.#most} queries to lite servers; ask a narrower question, or a service with an index`,
      );
    }
    const delay = this.#caller?.spend();
    this.sent += 1;
    return delay;
  }

  /** Counts another query of the same read, which other servers answered wrongly or slowly. Never ends the read. */
  repeat(): void {
    this.sent += 1;
    this.#caller?.repeat();
  }
}
