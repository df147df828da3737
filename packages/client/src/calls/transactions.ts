/** Iterates over the history of an account, page by page, newest first. */

import type { ResultOf, Transaction } from "@chain-query/types";
import { checkCursor, checkOptions, reasonOf } from "#diagnostics";
import { ParseError } from "../errors.ts";
import type { InputOf } from "../operations/input.ts";
import type { Int64 } from "../operations/int64.ts";
import type { CallOptions } from "../options.ts";
import { unlimited } from "../transport/timing.ts";

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
  /** Whether that transaction was returned already, so that the iteration continues after it. */
  exclusive?: boolean | undefined;
}

/**
 * One page of a history.
 *
 * @example
 * ```ts
 * const done = ({ cursor }: TransactionsPage): boolean => cursor === undefined;
 * ```
 */
export interface TransactionsPage {
  /** New transactions only, without those of earlier pages. */
  items: Transaction[];
  /** Where the next page starts; pass it to a later call to continue here. Undefined at the end of the history. */
  cursor: Cursor | undefined;
}

/**
 * The history to iterate over.
 *
 * @example
 * ```ts
 * const input: TransactionsInput = { address, pageSize: 100, maxItems: 500, toLt: 433_000_001n };
 * for await (const tx of chain.transactions(input)) console.log(tx.fee);
 * ```
 */
export interface TransactionsInput {
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
 * const history: TransactionIterator = chain.transactions({ address, maxItems: 100 });
 * for await (const { items, cursor } of history.pages()) console.log(items.length, cursor?.lt);
 * ```
 */
export interface TransactionIterator extends AsyncIterable<Transaction> {
  /** Iterates page by page, with the place to continue from. */
  pages(): AsyncIterable<TransactionsPage>;
}

/** Reads one page of the history. */
export type ReadPage = (
  input: Record<keyof InputOf<"getTransactionsStd">, unknown>,
  options: CallOptions | undefined,
) => Promise<ResultOf<"getTransactionsStd">>;

export function iterateTransactions(
  read: ReadPage,
  input: TransactionsInput,
  options: CallOptions | undefined,
): TransactionIterator {
  async function* pages(): AsyncGenerator<TransactionsPage> {
    checkOptions("transactions", input);
    const { address, pageSize: limit, maxItems = unlimited, toLt, archival } = input;
    let { cursor } = input;
    checkOptions("cursor", cursor);
    /** The least logical time so far: transactions that are not older were returned already. */
    let reached: bigint | undefined;
    for (let left = Number(maxItems); left > 0; ) {
      const { lt, hash, exclusive } = cursor ?? {};
      // A page of one could hold only the transaction that was returned already.
      const page = await read(
        { address, limit: limit && Math.max(Number(limit), exclusive ? 2 : 1), lt, hash, toLt, archival },
        options,
      );
      const items: Transaction[] = [];
      const inPage = new Set<bigint>();
      try {
        const least = BigInt(toLt ?? 0);
        reached ??= lt === undefined ? 2n ** 64n : BigInt(lt) + (exclusive ? 0n : 1n);
        let lowest = reached;
        for (const item of page.transactions) {
          const itemLt = BigInt(item.transaction_id.lt);
          // Servers differ in whether a page begins with its cursor, and a broken one may repeat others, in any order.
          if (itemLt >= reached || inPage.has(itemLt) || items.length === left) continue;
          inPage.add(itemLt);
          if (itemLt < lowest) lowest = itemLt;
          if (itemLt > least) items.push(item);
        }
        reached = lowest;
        left -= items.length;
        cursor = nextCursor(page, lt, least, left ? undefined : items.slice(-1)[0], reached);
        checkCursor(address, cursor);
      } catch (cause) {
        const point = { operation: "getTransactionsStd", attempts: 1 };
        throw new ParseError(`unexpected page from the service: ${reasonOf(cause)}`, point, { status: 200, cause });
      }
      if (items.length > 0) yield { items, cursor };
      if (!cursor || page.transactions.length === 0) return;
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}

/** The cursor of the next page, which must be strictly older than the start of this one. */
function nextCursor(
  { transactions, previous_transaction_id: next }: ResultOf<"getTransactionsStd">,
  began: string | undefined,
  least: bigint,
  cutAt: Transaction | undefined,
  reached: bigint,
): Cursor | undefined {
  const [last] = transactions.slice(-1);
  const rest = next ?? last?.transaction_id;
  const isOlder = rest && (began === undefined || BigInt(rest.lt) < BigInt(began));
  const from = cutAt ? cutAt.transaction_id : rest;
  if (!from || !(isOlder || (cutAt && cutAt !== last)) || BigInt(from.lt) <= least) return undefined;
  const { lt, hash } = from;
  return { lt, hash, ...(BigInt(lt) >= reached && { exclusive: true }) };
}
