import { type Database, type Parameter, query, type Row } from "../client.ts";

const PAGE = 1_000;

/** The rows of a table by its key. A page is read while the one before it is checked; no transaction stays open. */
export class RowStream<T extends Row> {
  readonly #readPage: (after: readonly Parameter[]) => Promise<readonly T[]>;
  readonly #keyOf: (row: T) => readonly Parameter[];
  #page: readonly T[] = [];
  #at = 0;
  #next: Promise<readonly T[]> | undefined;

  /**
   * @param text - Parameters: the head, the size of a page, then the values of the key after which the page begins.
   * @param start - A key below all others.
   */
  constructor(sql: Database, text: string, head: number, start: readonly Parameter[], keyOf: (row: T) => readonly Parameter[]) {
    this.#readPage = async (after) => query<T>(sql, text, [head, PAGE, ...after]);
    this.#keyOf = keyOf;
    this.#prefetch(start);
  }

  /** The next row, which stays the next one until `take`. */
  async peek(): Promise<T | undefined> {
    if (this.#at === this.#page.length && this.#next) {
      this.#page = await this.#next;
      this.#at = 0;
      this.#next = undefined;
      const last = this.#page.at(-1);
      if (last && this.#page.length === PAGE) this.#prefetch(this.#keyOf(last));
    }
    return this.#page[this.#at];
  }

  take(): void {
    this.#at += 1;
  }

  #prefetch(after: readonly Parameter[]): void {
    this.#next = this.#readPage(after);
    // The error is thrown by the read that waits for the page.
    this.#next.catch(() => {});
  }
}
