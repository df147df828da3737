/** Watches the transactions of an account: reads back to the last one, in rounds with pauses that a signal ends. */
import type { BigintTransaction, Transaction } from "@chain-query/types";
import { type Cursor, iterateTransactions, type ReadPage } from "./calls/transactions.ts";
import type { ChainClient } from "./client.ts";
import {
  booleanRule,
  callbackRule,
  check,
  integerRule,
  positiveRule,
  type Rule,
  signalRule,
  throwInvalidValue,
} from "./diagnostics/rules.ts";
import { AbortedError, ConnectionError, NotFoundError, ParseError } from "./errors.ts";
import type { InputOf } from "./operations/input.ts";
import { compareLt } from "./operations/int64.ts";
import type { CallOptions } from "./options.ts";
import { abortReason, throwIfAborted, withTimeout } from "./transport/timing.ts";
import type { BigintClient } from "./with-bigints.ts";

/**
 * Options of `watchTransactions`.
 *
 * @example
 * ```ts
 * const options: WatchTransactionsOptions = { from: saved ?? "start", signal };
 * ```
 */
export interface WatchTransactionsOptions {
  /** Ends the iteration with an `AbortedError`, whose `cause` is the reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds from the end of a poll to the next one, or from the start of a request that waits. 2,000 by default. */
  intervalMs?: number | undefined;
  /**
   * Wait for the next block with one request (`Prefer: wait`) instead of polling, where responses have the header chain-head. By default
   * outside of browsers, where such headers cost a CORS preflight.
   */
  wait?: boolean | undefined;
  /** Receives each failure that the watcher survives, after the client's own retries. If it throws, the iteration ends with that error. */
  onError?: ((error: unknown) => void) | undefined;
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

const lastOf = <Item>(items: readonly Item[]): Item | undefined => items[items.length - 1];

const newBacklog = (): Backlog => ({ pages: [], next: undefined, isComplete: false, kept: 0, firstKept: 1 });

/**
 * Yields the transactions of an account, oldest first, each exactly once, and waits for new ones. The `transaction_id` of a transaction is
 * the place to continue from: store it together with what the transaction changed, and pass it as `from` after a restart.
 *
 * Each poll proves that its transactions follow the last one. If the history of the service does not lead back there, not even with
 * `archival`, the iteration ends with an `InvalidArgumentError` instead of a gap. It survives failures that may pass, and polls within the
 * rate limit of the client. `break` ends it; a signal ends it with an `AbortedError`, as it does for `events.on` of Node.js.
 *
 * @example
 * ```ts
 * for await (const tx of watchTransactions(chain, address, { from: saved ?? "start", signal })) {
 *   // Both or neither: a crash between the two would credit a deposit twice, or never.
 *   await database.transaction(async (all) => {
 *     await all.credit(depositOf(tx), messageText(tx.in_msg));
 *     await all.save(tx.transaction_id);
 *   });
 * }
 * ```
 */
export function watchTransactions<Client extends ChainClient | BigintClient>(
  client: Client,
  address: string,
  options: WatchTransactionsOptions = {},
): AsyncIterable<Client extends BigintClient ? BigintTransaction : Transaction> {
  const chain = client as ChainClient;
  check("watchTransactions", options, {
    signal: signalRule,
    intervalMs: positiveRule,
    wait: booleanRule,
    onError: callbackRule,
    from: [(value) => value === "start" || isId(value), '"start" or a cursor, { lt, hash }'],
    pageSize: integerRule(1, 1_000),
    archival: booleanRule,
  } satisfies Record<keyof WatchTransactionsOptions, Rule>);
  const { from, pageSize = 100 } = options;
  const begin = from === undefined ? undefined : idOf(from);
  return watch(options, (state) => {
    /** The last transaction that was yielded. */
    let last = begin;
    let backlog = newBacklog();
    let archival = options.archival;
    let gaps = 0;

    const read: ReadPage = async (input, call) => {
      const isNewest = input.lt === undefined;
      // What follows a cursor does not depend on the head, and may come from a cache.
      const own = isNewest ? call : { ...call, headers: undefined };
      const { result, response } = await chain.getTransactionsStd(input as InputOf<"getTransactionsStd">, own).withResponse();
      if (isNewest) state.head = Number(response.headers.get("chain-head")) || undefined;
      const { previous_transaction_id: previous } = result;
      // A cursor has no bigints.
      return previous ? { ...result, previous_transaction_id: { ...previous, ...idOf(previous) } } : result;
    };

    const readAgain = (): void => {
      backlog = newBacklog();
      archival = true;
    };

    /** Reads back to the last transaction, which is read once more: it proves that none is missing. */
    async function readBack({ lt, hash }: Id, call: CallOptions, progress: () => void): Promise<void> {
      const toLt = lt === "0" ? 0n : BigInt(lt) - 1n;
      const walk = iterateTransactions(read, { address, pageSize, toLt, archival, cursor: backlog.next }, call);
      for await (const { items, cursor } of walk.pages()) {
        progress();
        keep(backlog, items);
        backlog.next = cursor;
        if (items.some((transaction) => ltOf(transaction) === lt)) break;
      }
      const oldest = lastOf(backlog.pages)?.items ?? [];
      const known = oldest.find((transaction) => ltOf(transaction) === lt);
      // A page without transactions is of a node that lags behind.
      backlog.isComplete = lt === "0" || backlog.pages.length === 0 || (known !== undefined && isSame(known, hash));
      if (backlog.isComplete) gaps = 0;
      else if (gaps++ === 0) readAgain();
      else throwInvalidValue("watchTransactions", "from", `a transaction in the history of ${address}`, `lt ${lt}`);
    }

    /** The transactions of a page, oldest first; undefined if the history does not have all of them any more. */
    async function itemsOf({ items, start, count }: Page, call: CallOptions): Promise<Transaction[] | undefined> {
      const found = [...(items ?? [])];
      if (items === undefined) {
        const walk = chain.transactions({ address, pageSize, archival, cursor: start, maxItems: count }, call);
        for await (const transaction of walk) found.push(transaction);
      }
      return found.length < count ? undefined : found.sort((a, b) => compareLt(ltOf(a), ltOf(b)));
    }

    async function* round(call: CallOptions, progress: () => void): AsyncGenerator<Transaction, void> {
      if (last === undefined) {
        const { transactions } = await chain.getTransactionsStd({ address, limit: 1, ...(archival && { archival }) }, call);
        last = idOf(transactions[0]?.transaction_id ?? "start");
        return;
      }
      if (!backlog.isComplete) await readBack(last, call, progress);
      if (!backlog.isComplete) return;
      for (let page = lastOf(backlog.pages); page; page = lastOf(backlog.pages)) {
        const items = await itemsOf(page, call);
        if (items === undefined) return readAgain();
        for (const transaction of items) {
          if (compareLt(ltOf(transaction), last.lt) <= 0) continue;
          last = idOf(transaction.transaction_id);
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
  }) as AsyncIterable<never>;
}

/** The logical time of a transaction, which is a bigint of `withBigints`. */
const ltOf = ({ transaction_id: { lt } }: Transaction): string => `${lt}`;

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

/** What the iteration knows of the deployment. */
interface WatchState {
  /** The chain-head of the last page, if it had one. */
  head?: number | undefined;
}

/** Seconds for which the service may hold a request. */
const waitSeconds = 20;

/** Options of a request that waits, in place of those of the client. */
const whileWaiting = { timeoutMs: 30_000, deadlineMs: 120_000, maxRetries: 0 };

/** Reads new items. It is called again after a pause or a failure, and continues. */
type Round = (call: CallOptions, progress: () => void) => AsyncGenerator<Transaction, void>;

/**
 * Iterates over the items of one round after the other. Each iteration has its own state, made by `begin`. Ending it aborts its calls and
 * pauses, even while an item is awaited.
 */
function watch(options: WatchTransactionsOptions, begin: (state: WatchState) => Round): AsyncIterable<Transaction> {
  const { signal } = options;
  return {
    [Symbol.asyncIterator]() {
      const controller = new AbortController();
      const onAbort = () => controller.abort(signal && abortReason(signal));
      if (signal?.aborted) onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      const state: WatchState = {};
      const items = rounds(begin(state), state, options, controller.signal);
      let left = false;
      const settle = async (step: Promise<IteratorResult<Transaction, void>>): Promise<IteratorResult<Transaction, void>> => {
        const { done = false, value } = await step.catch((error) => {
          signal?.removeEventListener("abort", onAbort);
          if (left) return { done: true, value: undefined };
          if (!signal?.aborted || error instanceof AbortedError) throw error;
          throw new AbortedError(
            "aborted by its signal",
            { operation: "watchTransactions", attempts: 0 },
            { cause: abortReason(signal) },
          );
        });
        if (done) signal?.removeEventListener("abort", onAbort);
        return done ? { done, value: undefined } : { done, value: value as Transaction };
      };
      return {
        next: () => settle(items.next()),
        return: () => {
          left = true;
          controller.abort();
          return settle(items.return());
        },
      };
    },
  };
}

async function* rounds(
  round: Round,
  state: WatchState,
  options: WatchTransactionsOptions,
  signal: AbortSignal,
): AsyncGenerator<Transaction, void> {
  const { intervalMs = 2_000, onError, wait = !("document" in globalThis) } = options;
  let isIdle = false;
  let failures = 0;
  let reached = false;
  const progress = () => {
    failures = 0;
    reached = true;
  };
  for (;;) {
    let pauseMs = intervalMs;
    const startedAt = performance.now();
    const next: number | false = wait && isIdle && state.head !== undefined && state.head + 1;
    const headers: Record<string, string> | undefined = next
      ? { "chain-min-head": `${next}`, prefer: `wait=${waitSeconds}` }
      : undefined;
    try {
      for await (const item of round({ signal, ...(headers && { headers, ...whileWaiting }) }, progress)) {
        progress();
        yield item;
        throwIfAborted(signal);
      }
      progress();
      isIdle = true;
    } catch (error) {
      if (signal.aborted || !passes(error, reached)) throw error;
      // No block came in time. The next request asks for no head, since the deployment may have begun anew with a lower one.
      isIdle = headers !== undefined && Object(error).reason === "behind";
      state.head = undefined;
      if (!isIdle) {
        onError?.(error);
        // As long as the service asks, up to a minute.
        const { retryAfterMs = 0 } = Object(error) as { retryAfterMs?: number };
        pauseMs = Math.max(Math.min(intervalMs * 2 ** failures++, 30_000), intervalMs, Math.min(retryAfterMs, 60_000));
      }
    }
    if (isIdle && headers) pauseMs -= performance.now() - startedAt;
    await withTimeout(Math.max(0, pauseMs), signal).catch(() => throwIfAborted(signal));
  }
}

/**
 * Whether a failure may pass by itself. A 404, or a body that is not a response, may come from a node that lags or from a proxy, unless the
 * service was never reached: then the base URL is wrong.
 */
function passes(error: unknown, reached: boolean): boolean {
  if (error instanceof ConnectionError) return true;
  const { status = 0 } = Object(error) as { status?: number };
  if (status >= 500 || [408, 425, 429].includes(status)) return true;
  return reached && (error instanceof NotFoundError || error instanceof ParseError);
}
