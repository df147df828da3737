import { LiteError } from "@chain-query/lite-protocol/error";

/** Counts the queries that a call sends to servers, and ends the call when they are too many. */
export class QueryBudget {
  #sent = 0;
  #isExhausted = false;
  readonly #most: number;

  /** @param most - `Infinity` for no limit. */
  constructor(most: number) {
    this.#most = most;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Whether a query was not sent. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Counts the first query of a read. @throws LiteError of kind "exhausted" */
  spend(): void {
    if (this.#sent >= this.#most) {
      this.#isExhausted = true;
      throw new LiteError(
        "exhausted",
        `the search takes more than ${this.#most} queries to lite servers; ask a narrower question, or a service with an index`,
      );
    }
    this.#sent += 1;
  }

  /** Counts another query of the same read, which other servers answered wrongly or slowly. Never ends the read. */
  repeat(): void {
    this.#sent += 1;
  }
}
