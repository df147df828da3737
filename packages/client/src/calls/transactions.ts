/** Iterates over the history of an account, page by page, newest first. */
import type { ResultOf, Transaction } from "@chain-query/types";
import { ParseError } from "../errors.ts";
import { check, type Int64, type Kind } from "../operations/check.ts";
import type { InputOf } from "../operations/input.ts";
import { compareLt } from "../operations/int64.ts";
import { operations } from "../operations/operations.gen.ts";
import type { CallOptions } from "../options.ts";
import { unlimited } from "../transport/within.ts";

/**
 * Where to continue: a transaction by lt and hash. It is plain JSON, so you can store it.
 *
 * @example
 * ```ts
 * const cursor: Cursor = JSON.parse(saved);
 * for await (const tx of chain.transactions({ address, cursor })) console.log(tx.utime);
 * ```
 */
export interface Cursor {
  /** Logical time, a decimal string. */
  lt: string;
  /** Hash as 44 characters of base64, as the API gives it, or 64 hexadecimal digits. */
  hash: string;
  /** Whether that transaction was returned already, so that the walk continues after it. */
  listed?: boolean | undefined;
}

/**
 * One page of a walk.
 *
 * @example
 * ```ts
 * const done = ({ cursor }: TransactionsPage): boolean => cursor === undefined;
 * ```
 */
export interface TransactionsPage {
  /** New transactions only, without those of earlier pages. */
  items: Transaction[];
  /** Where the next page starts; pass it to a later walk to continue here. Undefined at the end of the history. */
  cursor: Cursor | undefined;
}

/**
 * The history to iterate over.
 *
 * @example
 * ```ts
 * const input: WalkInput = { address, pageSize: 100, maxItems: 500, toLt: 433_000_001n };
 * for await (const tx of chain.transactions(input)) console.log(tx.fee);
 * ```
 */
export interface WalkInput {
  /** The account, in raw or user-friendly form. */
  address: string;
  /** Transactions per request, 1 to 1000. */
  pageSize?: number | undefined;
  /** Stop after this many transactions. */
  maxItems?: number | undefined;
  /** Start here instead of at the latest transaction. */
  cursor?: Cursor | undefined;
  /** Transactions with this logical time or a lower one are left out. */
  toLt?: Int64 | undefined;
  /** Ask nodes that keep the whole history. */
  archival?: boolean | undefined;
}

/**
 * Iterates item by item, or page by page with `.pages()`. It sends nothing before the first iteration and after `break`. Iterating
 * throws the errors of `getTransactionsStd`.
 *
 * @example
 * ```ts
 * const walk: Walk = chain.transactions({ address, maxItems: 100 });
 * for await (const { items, cursor } of walk.pages()) console.log(items.length, cursor?.lt);
 * ```
 */
export interface Walk extends AsyncIterable<Transaction> {
  pages(): AsyncIterable<TransactionsPage>;
}

/** Reads one page of the walk. */
export type ReadPage = (
  input: Record<keyof InputOf<"getTransactionsStd">, unknown>,
  options: CallOptions | undefined,
) => Promise<ResultOf<"getTransactionsStd">>;

const { lt, toLt, limit } = operations.getTransactionsStd.members;

const walkKinds: Record<keyof WalkInput, Kind> = {
  address: "string",
  pageSize: limit,
  maxItems: ["number", 0],
  cursor: "object",
  toLt,
  archival: "boolean",
};

const cursorKinds: Record<keyof Cursor, Kind> = { lt, hash: "string", listed: "boolean" };

export function walkTransactions(read: ReadPage, input: WalkInput, options: CallOptions | undefined): Walk {
  async function* pages(): AsyncGenerator<TransactionsPage> {
    check("transactions", input, walkKinds, ["address"]);
    const { address, pageSize: limit, maxItems = unlimited, toLt, archival } = input;
    let { cursor } = input;
    if (cursor) check("transactions: cursor", cursor, cursorKinds, ["lt", "hash"]);
    /** The least logical time so far: transactions that are not older were returned already. */
    let reached = cursor?.listed ? cursor.lt : undefined;
    for (let left = Number(maxItems); left > 0; ) {
      const page = await read(
        {
          address,
          // A page of one could hold only the transaction that was returned already.
          limit: limit && Math.max(Number(limit), cursor?.listed ? 2 : 1),
          lt: cursor?.lt,
          hash: cursor?.hash,
          toLt,
          archival,
        },
        options,
      );
      checkPage(page);
      const items: Transaction[] = [];
      const inPage = new Set<string>();
      let least = reached;
      for (const item of page.transactions) {
        const { lt } = item.transaction_id;
        // Servers differ in whether a page begins with its cursor, and a broken one may repeat others, in any order.
        const repeated = reached === undefined ? cursor && compareLt(lt, cursor.lt) > 0 : compareLt(lt, reached) >= 0;
        if (repeated || inPage.has(lt) || items.length === left) continue;
        inPage.add(lt);
        if (least === undefined || compareLt(lt, least) < 0) least = lt;
        if (toLt === undefined || BigInt(lt) > BigInt(toLt)) items.push(item);
      }
      reached = least;
      left -= items.length;
      cursor = nextCursor(page, cursor, toLt, left === 0 ? items.at(-1) : undefined, reached);
      if (items.length > 0) yield { items, cursor };
      if (cursor === undefined || page.transactions.length === 0) return;
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}

/** Checks the logical times, on which the iteration depends, even without `validate`. */
function checkPage(page: unknown): void {
  const { transactions, previous_transaction_id: next } = Object(page) as Record<string, unknown>;
  const timed = (id: unknown) => /^\d{1,20}$/.test(String(Object(id).lt));
  const whole = Array.isArray(transactions) && transactions.every((item: unknown) => timed(Object(item).transaction_id));
  if (whole && (next === undefined || timed(next))) return;
  throw new ParseError(
    "the page has no transactions with logical times",
    { operation: "getTransactionsStd", attempts: 1 },
    { status: 200 },
  );
}

/** The cursor of the next page, which must be strictly older than the start of this one. */
function nextCursor(
  page: ResultOf<"getTransactionsStd">,
  began: Cursor | undefined,
  toLt: Int64 | undefined,
  cutAt: Transaction | undefined,
  shown: string | undefined,
): Cursor | undefined {
  const rest = page.previous_transaction_id ?? page.transactions.at(-1)?.transaction_id;
  const more = rest !== undefined && rest.lt !== "0" && (began === undefined || compareLt(rest.lt, began.lt) < 0);
  const { lt, hash } = cutAt?.transaction_id ?? rest ?? { lt: "0", hash: "" };
  const cut = cutAt !== undefined && cutAt !== page.transactions.at(-1);
  if (!(more || cut) || BigInt(lt) <= BigInt(toLt ?? 0)) return undefined;
  return { lt, hash, ...(shown !== undefined && compareLt(lt, shown) >= 0 ? { listed: true } : {}) };
}
