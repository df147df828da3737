/** Reads tables in the order of their keys, and reports wrong rows. */
import { ChainStoreError } from "@chain-query/chain-store";
import { CellError, hex, isEqual } from "@chain-query/format/cells";
import { type Database, type Parameter, query, type Row } from "../client.ts";
import { PostgresStoreError } from "../types.ts";

const PAGE = 1_000;

/** The rows of a table in the order of its key. Reads the next page while the current one is checked, without an open transaction. */
export class RowStream<T extends Row> {
  readonly #readPage: (after: readonly Parameter[]) => Promise<readonly T[]>;
  readonly #keyOf: (row: T) => readonly Parameter[];
  #page: readonly T[] = [];
  #at = 0;
  #next: Promise<readonly T[]> | undefined;

  /**
   * @param text - Its parameters are the head, the page size, and the key after which the page begins.
   * @param start - A key below all keys.
   */
  constructor(sql: Database, text: string, head: number, start: readonly Parameter[], keyOf: (row: T) => readonly Parameter[]) {
    this.#readPage = async (after) => query<T>(sql, text, [head, PAGE, ...after]);
    this.#keyOf = keyOf;
    this.#prefetch(start);
  }

  /** Returns the next row without consuming it. */
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

  /** Consumes the next row. */
  take(): void {
    this.#at += 1;
  }

  #prefetch(after: readonly Parameter[]): void {
    this.#next = this.#readPage(after);
    // `peek` throws the error.
    this.#next.catch(() => {});
  }
}

type Value = number | bigint | Uint8Array | null | undefined;

/** Throws unless the condition holds. */
export function must(condition: boolean, what: () => string): asserts condition {
  if (!condition) throw new PostgresStoreError("damaged", what());
}

/** Throws unless two values are equal. Arrays of bytes are compared by their bytes. */
export function mustEqual(actual: Value, expected: Value, what: () => string): void {
  const isSame =
    actual instanceof Uint8Array && expected instanceof Uint8Array ? isEqual(actual, expected) : actual === expected;
  must(isSame, () => `${what()} is ${shown(actual)} and should be ${shown(expected)}`);
}

/** Runs a check of a record. Decoding errors get the name of the record. */
export async function naming<T>(what: () => string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (cause) {
    if (!(cause instanceof CellError || cause instanceof ChainStoreError || cause instanceof RangeError)) throw cause;
    throw new PostgresStoreError("damaged", `${what()} cannot be read: ${cause.message}`, { cause });
  }
}

function shown(value: Value): string {
  return value instanceof Uint8Array ? hex(value) || "empty" : `${value ?? "absent"}`;
}
