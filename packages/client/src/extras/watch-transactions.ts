/** Watches the transactions of an account. */
import type { Transaction } from "@chain-query/types";
import type { Cursor } from "../calls/transactions.ts";
import { booleanRule, check, integerRule, mustBe, type Rule } from "../checks/rules.ts";
import type { ChainClient } from "../client.ts";
import { compareLt } from "../operations/int64.ts";
import type { CallOptions } from "../options.ts";
import { type WatchOptions, watch, watchRules } from "./polling.ts";

/**
 * Options of `watchTransactions`.
 *
 * @example
 * ```ts
 * const options: WatchTransactionsOptions = { from: saved ?? "start", signal };
 * ```
 */
export interface WatchTransactionsOptions extends WatchOptions {
  /**
   * Continue after this transaction: the `transaction_id` of the last one that you handled, or the `last_transaction_id` of an account.
   * `"start"` begins with the first transaction of the account. Without it only transactions that come after the first poll are yielded.
   */
  from?: Pick<Cursor, "lt" | "hash"> | "start" | undefined;
  /** Transactions per request, 1 to 1000. 100 by default. */
  pageSize?: number | undefined;
  /** Ask nodes that keep the whole history. It is set by itself when `from` is older than the history of a node. */
  archival?: boolean | undefined;
}

/** A page between the newest transaction and the last yielded one. */
interface Page {
  /** Where it starts; undefined for the newest page. */
  readonly start: Cursor | undefined;
  readonly count: number;
  /** Undefined while it is not in memory. */
  items: readonly Transaction[] | undefined;
}

/** New transactions read so far. A failure keeps them, so that reading continues from there. */
interface Backlog {
  /** Newest first. */
  readonly pages: Page[];
  /** Where the next page starts. */
  next: Cursor | undefined;
  isComplete: boolean;
  /** Transactions in memory, and the index of the first page that they are of, besides the newest page. */
  kept: number;
  firstKept: number;
}

type Id = Pick<Cursor, "lt" | "hash">;

/** Transactions to keep in memory, about 2 kB each. Others are read again later. */
const maxKept = 2_000;

const newBacklog = (): Backlog => ({ pages: [], next: undefined, isComplete: false, kept: 0, firstKept: 1 });

/**
 * Yields the transactions of an account, oldest first, each exactly once, and waits for new ones. The `transaction_id` of a transaction is
 * the place to continue from: store it after you handled the transaction, and pass it as `from` after a restart.
 *
 * Each poll proves that its transactions follow the last one. If the history of the service does not lead back there, not even with
 * `archival`, the iteration ends with an `InvalidArgumentError` instead of a gap. It survives failures that may pass, and polls within the
 * rate limit of the client. `break` ends it; a signal ends it with an `AbortedError`, as it does for `events.on` of Node.js.
 *
 * @example
 * ```ts
 * for await (const tx of watchTransactions(chain, address, { from: saved ?? "start", signal })) {
 *   await credit(tx.in_msg?.value, messageText(tx.in_msg));
 *   await save({ lt: tx.transaction_id.lt, hash: tx.transaction_id.hash });
 * }
 * ```
 */
export function watchTransactions(
  chain: ChainClient,
  address: string,
  options: WatchTransactionsOptions = {},
): AsyncIterable<Transaction> {
  check("watchTransactions", options, {
    ...watchRules,
    from: [(value) => value === "start" || isId(value), '"start" or a cursor, { lt, hash }'],
    pageSize: integerRule(1, 1_000),
    archival: booleanRule,
  } satisfies Record<keyof WatchTransactionsOptions, Rule>);
  const { from, pageSize = 100 } = options;
  const begin = from === undefined ? undefined : idOf(from);
  return watch("watchTransactions", options, () => {
    /** The last transaction that was yielded. */
    let last = begin;
    let backlog = newBacklog();
    let archival = options.archival;
    let gaps = 0;

    const readAgain = (): void => {
      backlog = newBacklog();
      archival = true;
    };

    /** Reads back to the last transaction, which is read once more: it proves that none is missing. */
    async function readBack({ lt, hash }: Id, call: CallOptions, progress: () => void): Promise<void> {
      const toLt = lt === "0" ? 0n : BigInt(lt) - 1n;
      const walk = chain.transactions({ address, pageSize, toLt, archival, cursor: backlog.next }, call);
      for await (const { items, cursor } of walk.pages()) {
        progress();
        keep(backlog, items);
        backlog.next = cursor;
        if (items.some(({ transaction_id: id }) => id.lt === lt)) break;
      }
      const oldest = backlog.pages.at(-1)?.items ?? [];
      const known = oldest.find(({ transaction_id: id }) => id.lt === lt);
      // A page without transactions is of a node that lags behind.
      backlog.isComplete = lt === "0" || backlog.pages.length === 0 || (known !== undefined && isSame(known, hash));
      if (backlog.isComplete) gaps = 0;
      else if (gaps++ === 0) readAgain();
      else mustBe("watchTransactions", "from", `a transaction in the history of ${address}`, `lt ${lt}`);
    }

    /** The transactions of a page, oldest first; undefined if the history does not have all of them any more. */
    async function itemsOf({ items, start, count }: Page, call: CallOptions): Promise<Transaction[] | undefined> {
      const found = [...(items ?? [])];
      if (items === undefined) {
        const walk = chain.transactions({ address, pageSize, archival, cursor: start, maxItems: count }, call);
        for await (const transaction of walk) found.push(transaction);
      }
      return found.length < count ? undefined : found.sort((a, b) => compareLt(a.transaction_id.lt, b.transaction_id.lt));
    }

    async function* round(call: CallOptions, progress: () => void): AsyncGenerator<Transaction, void> {
      if (last === undefined) {
        const { transactions } = await chain.getTransactionsStd({ address, limit: 1, ...(archival && { archival }) }, call);
        last = transactions[0]?.transaction_id ?? idOf("start");
        return;
      }
      if (!backlog.isComplete) await readBack(last, call, progress);
      if (!backlog.isComplete) return;
      for (let page = backlog.pages.at(-1); page; page = backlog.pages.at(-1)) {
        const items = await itemsOf(page, call);
        if (items === undefined) return readAgain();
        for (const transaction of items) {
          if (compareLt(transaction.transaction_id.lt, last.lt) <= 0) continue;
          last = transaction.transaction_id;
          yield transaction;
        }
        backlog.pages.pop();
      }
      // A node that lags may not have the transactions yet for which the archive is needed.
      if (backlog.kept > 0) archival = options.archival;
      backlog = newBacklog();
    }

    return async function* (call, progress) {
      try {
        yield* round(call, progress);
      } catch (error) {
        // A node answers 500 to a request beyond its history.
        if (Object(error).status === 500) archival = true;
        throw error;
      }
    };
  });
}

/** Adds a page, and forgets the newest ones that are too many for the memory: the oldest are needed first. */
function keep(backlog: Backlog, items: readonly Transaction[]): void {
  const { pages, next } = backlog;
  pages.push({ start: next, count: items.length, items });
  backlog.kept += items.length;
  for (; backlog.kept > maxKept && backlog.firstKept < pages.length - 1; backlog.firstKept++) {
    const page = pages[backlog.firstKept];
    if (page === undefined) return;
    backlog.kept -= page.count;
    page.items = undefined;
  }
}

function isSame({ transaction_id: { hash } }: Transaction, known: string): boolean {
  // Only base64 can be compared as text; a cursor may hold a hash in hexadecimal.
  return known.length !== 44 || known.replaceAll("-", "+").replaceAll("_", "/") === hash;
}

function idOf(from: Id | "start"): Id {
  return from === "start" ? { lt: "0", hash: "" } : { lt: String(BigInt(from.lt)), hash: from.hash };
}

function isId(value: unknown): boolean {
  const { lt, hash } = Object(value);
  return typeof lt === "string" && /^\d{1,20}$/.test(lt) && typeof hash === "string";
}
