/**
 * Pages of an account's transactions as JSON. A transaction never changes, so transactions and pages are kept as JSON in bounded caches;
 * different pages share the transactions that they have in common.
 */

import { type Awaitable, andThen } from "@chain-query/format/async";
import { isEqual, toBinaryString } from "@chain-query/format/cells";
import { MASTERCHAIN, NO_TRANSACTION } from "@chain-query/format/identifiers";
import {
  type AccountId,
  type ChainReader,
  type Head,
  type HistoryRange,
  isArchival,
  type ReadTransaction,
  type TransactionId,
} from "@chain-query/format/store";
import { rawTransaction, transactionId } from "@chain-query/proof/values";
import type { Schemas } from "@chain-query/types";
import { LRUCache } from "lru-cache";
import { HttpError } from "../failure.ts";
import { RequestHead } from "../request-head.ts";
import { SharedWork } from "../shared-work.ts";
import { createTicks } from "../ticks.ts";
import { Encoded, encode, encodeTransaction, unpooledBytes } from "./encoded.ts";
import { ReadQueue } from "./read-queue.ts";

/** The part of a history that a page covers. */
interface PageQuery extends Pick<HistoryRange, "aboveLt" | "archival"> {
  readonly limit: number;
  /** The first transaction of the page; the account's newest if absent. */
  readonly start?: TransactionId;
}

type Page = Encoded<Schemas["raw.transactions"]>;

interface Account {
  readonly id: AccountId;
  /** Prefix of the account's keys in the caches. */
  readonly key: string;
}

interface CachedTransaction {
  readonly json: Buffer;
  readonly id: TransactionId;
  readonly previous: TransactionId;
  readonly time: number;
}

/** A transaction of the source, or one from the cache. */
type Found = ReadTransaction | CachedTransaction;

/** A page that is being read. */
interface Reading extends PageQuery {
  readonly account: Account;
  readonly start: TransactionId;
  /** The first transactions, if they were read to find the start. */
  readonly firstRead: readonly ReadTransaction[] | undefined;
  /** Unix seconds of the oldest transaction that belongs to the page. */
  readonly since: number;
  readonly head: RequestHead;
}

/** The start of a page that begins with the newest transaction. */
type Newest = Pick<Reading, "start" | "firstRead">;

interface Walked {
  readonly parts: readonly Buffer[];
  readonly count: number;
  /** The start, even if it does not belong to the page. */
  readonly first: Found | undefined;
  readonly last: CachedTransaction | undefined;
}

/** A page that is valid while its oldest transaction is within the retention. */
interface CachedPage {
  readonly page: Page;
  readonly first: TransactionId;
  readonly oldestTime: number;
}

const maxNewest = 50_000;
/** Estimated bytes of a cache entry besides its JSON. */
const entryOverhead = 700;
/** Longer pages are not kept, nor are their transactions: they would push out everything that is asked for more often. */
const longestKept = 100;
/** Transactions that are encoded without a break for other requests, and read at once. Lite servers send up to 16 at a time. */
const batchSize = 16;

/**
 * Reads and caches pages.
 */
export class TransactionPages {
  readonly #source: ChainReader;
  readonly #transactions: LRUCache<string, CachedTransaction>;
  readonly #pages: LRUCache<string, CachedPage>;
  /** The newest transactions of accounts, by key, as of the head #newestAt; undefined for an account without transactions. */
  readonly #newest = new Map<string, TransactionId | undefined>();
  #newestAt: number | undefined;
  /** Pages that are being read, by everything that they depend on. */
  readonly #reading = new SharedWork<Page>();
  readonly #longPages = new ReadQueue();
  readonly #nextTick = createTicks();

  /** @param cacheBytes - Memory for the caches, approximately: a third for transactions, the rest for pages. */
  constructor(source: ChainReader, cacheBytes: number) {
    this.#source = source;
    this.#transactions = new LRUCache({
      maxSize: Math.ceil(cacheBytes / 3),
      sizeCalculation: ({ json }) => json.length + entryOverhead,
    });
    this.#pages = new LRUCache({
      maxSize: Math.ceil((cacheBytes * 2) / 3),
      sizeCalculation: ({ page }) => page.json.length + entryOverhead,
    });
  }

  /**
   * Reads a page, without a promise if it is known.
   *
   * @param head - Its signal ends the wait, and the work unless other callers wait for the same page.
   * @throws HttpError if the start does not exist, or lies before the retention, or if too many long pages wait.
   */
  page(accountId: AccountId, query: PageQuery, head: RequestHead): Awaitable<Page> {
    const account = accountOf(accountId);
    const from = (newest: Newest | undefined): Awaitable<Page> => {
      if (newest === undefined) return emptyPage;
      const retained = (at: Head): number => this.#source.retainedSince(at);
      return andThen(query.archival ? 0 : andThen(head.known ?? head.newest(), retained), (since) =>
        this.#pageOf({ ...query, ...newest, account, since, head }),
      );
    };
    if (query.start !== undefined) return from({ start: query.start, firstRead: undefined });
    return andThen(
      andThen(head.newest(), (at) => this.#newestAsOf(at, account, query, head.signal)),
      from,
    );
  }

  #pageOf(reading: Reading): Awaitable<Page> {
    const { account, start, limit, aboveLt, archival, since, head } = reading;
    const key = `${account.key}${start.lt} ${limit} ${aboveLt}`;
    const cached = this.#pages.get(key);
    if (cached !== undefined && cached.oldestTime >= since && isEqual(cached.first.hash, start.hash)) return cached.page;

    const work = (shared: AbortSignal): Promise<Page> => {
      const sharedHead = new RequestHead(this.#source, shared, head.caller, head);
      const read = (): Promise<Page> => this.#readPage({ ...reading, head: sharedHead }, key);
      return limit > longestKept ? this.#longPages.run(read, head.caller?.owner ?? "", shared) : read();
    };
    return this.#reading.run(`${key} ${since} ${archival} ${head.seqno} ${toBinaryString(start.hash)}`, work, head.signal);
  }

  async #readPage(query: Reading, key: string): Promise<Page> {
    const { start, since, limit, aboveLt, head } = query;
    const { parts, count, first, last } = await this.#walk(query);
    if (first === undefined) throw await this.#missingStart(start, since, head);
    if (first.time < since) throw beforeRetention(start.lt);
    if (last === undefined) return emptyPage;
    if (count > batchSize) await this.#nextTick();
    // With the first transaction that was asked for, it cannot get others.
    const isSettled = count === limit || last.previous.lt === 0n;
    const page = encodePage(parts, last.previous, isSettled);
    // A page that the retention cuts short becomes shorter with time.
    const isCut = count < limit && last.previous.lt > aboveLt;
    if (!isCut && count <= longestKept) this.#pages.set(key, { page, first: unsharedId(first.id), oldestTime: last.time });
    return page;
  }

  /** The newest transaction of an account and, if the source reads them at once, those after it. Undefined if it has none. */
  #newestAsOf(
    head: Head,
    account: Account,
    { limit, archival }: PageQuery,
    signal: AbortSignal,
  ): Awaitable<Newest | undefined> {
    const at = head.block.id.seqno;
    if (at !== this.#newestAt || this.#newest.size >= maxNewest) this.#newest.clear();
    this.#newestAt = at;
    const known = this.#newest.get(account.key);
    if (known !== undefined || this.#newest.has(account.key)) return known && { start: known, firstRead: undefined };
    const source = this.#source;
    const most = Math.min(limit, this.#longestRead(limit));
    return andThen(source.newestTransactions(account.id, most, head, archival, signal), (found) => {
      const start = found && unsharedId(found.id);
      // The head may have changed while this was read.
      if (this.#newestAt === at) this.#newest.set(account.key, start);
      return start && { start, firstRead: found.transactions };
    });
  }

  /** The transactions of a page, newest first, within the limit, the lowest logical time and the retention. */
  async #walk(query: Reading): Promise<Walked> {
    const { start, limit, aboveLt, since } = query;
    const parts: Buffer[] = [];
    let count = 0;
    let first: Found | undefined;
    let last: CachedTransaction | undefined;
    let next: CachedTransaction | Promise<readonly Found[]> | undefined =
      query.firstRead === undefined ? this.#from(query, start, 0) : Promise.resolve(query.firstRead);
    while (next !== undefined) {
      const batch: readonly Found[] = "json" in next ? [next] : await (count === 0 ? next : next.catch(endOfHistory));
      first ??= batch[0];
      const within = batch.filter(({ id, time }) => id.lt > aboveLt && time >= since);
      const end = within.at(-1);
      if (end === undefined) break;
      count += within.length;
      const isDone = within.length < batch.length || count === limit || end.previous.lt <= aboveLt;
      // Begins to read the next batch before this one is encoded.
      next = isDone ? undefined : this.#from(query, end.previous, count);
      if (limit > batchSize && last !== undefined) await this.#nextTick();
      query.head.signal.throwIfAborted();
      const encoded = within.map((one) => this.#encoded(one, query));
      last = encoded.at(-1);
      parts.push(encoded.length === 1 && last ? last.json : Buffer.concat(withCommas(encoded.map(({ json }) => json))));
    }
    return { parts, count, first, last };
  }

  /** The transactions that follow `count` others of a page: a cached one, or a batch from the source. */
  #from(query: Reading, from: TransactionId, count: number): CachedTransaction | Promise<readonly Found[]> {
    const cached = this.#transactions.get(query.account.key + from.lt);
    if (cached !== undefined && isEqual(cached.id.hash, from.hash)) return cached;
    const batch = this.#read(query, from, count);
    // An error while the batch before it is encoded leaves it unread.
    batch.catch(() => {});
    return batch;
  }

  async #read(
    { account, limit, aboveLt, archival, head }: Reading,
    from: TransactionId,
    count: number,
  ): Promise<readonly Found[]> {
    // A start that is not above the lowest logical time is read too: the page is a 404 without it.
    const [above, most] = from.lt > aboveLt ? [aboveLt, limit - count] : [0n, 1];
    const range = { from, aboveLt: above, archival };
    const found = await head.find(async (at) => {
      const batch = await this.#source.history(account.id, range, Math.min(this.#longestRead(limit), most), at, head.signal);
      return batch.length === 0 ? undefined : batch;
    });
    return found ?? [];
  }

  #longestRead(limit: number): number {
    return limit > longestKept ? batchSize : (this.#source.longestRead ?? batchSize);
  }

  #encoded(one: Found, { account, limit }: Reading): CachedTransaction {
    if ("json" in one) return one;
    const key = account.key + one.id.lt;
    const cached = this.#transactions.get(key);
    if (cached !== undefined) return cached;
    const [id, previous] = [unsharedId(one.id), unsharedId(one.previous)];
    const json = unpooledBytes(encodeTransaction(rawTransaction(one)));
    const encoded: CachedTransaction = { json, id, previous, time: one.time };
    if (limit <= longestKept) this.#transactions.set(key, encoded);
    return encoded;
  }

  /** Without archival lite servers, a start before the retention looks like one that never existed: the time of its block decides. */
  async #missingStart({ lt }: TransactionId, since: number, head: RequestHead): Promise<HttpError> {
    try {
      const block = await this.#source.block(MASTERCHAIN, { lt }, await head.newest(), head.signal);
      if (block !== undefined && block.time < since) return beforeRetention(lt);
    } catch (error) {
      // The block has been deleted.
      if (since > 0 && isArchival(error)) return beforeRetention(lt);
      throw error;
    }
    return new HttpError(404, `transaction was not found: the account has none with lt ${lt} and this hash`, {
      reason: "transaction_unknown",
    });
  }
}

/** The end of a page, for a source that has no older history. */
function endOfHistory(error: unknown): readonly Found[] {
  if (isArchival(error)) return [];
  throw error;
}

function accountOf(id: AccountId): Account {
  return { id, key: `${id.workchain} ${toBinaryString(id.hash)} ` };
}

/** An id that does not keep the record in memory that its hash is a view of. */
function unsharedId({ lt, hash }: TransactionId): TransactionId {
  return { lt, hash: new Uint8Array(hash) };
}

const listStart = '"transactions":[';
const comma = Buffer.from(",");
const emptyPage: Page = encodePage([], NO_TRANSACTION);

function withCommas(parts: readonly Buffer[]): Buffer[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [comma, part]));
}

/** Inserts the JSON of transactions into the JSON of a page without any. */
function encodePage(transactions: readonly Buffer[], previous: TransactionId, isSettled = false): Page {
  const frame = encode("getTransactionsStd", {
    "@type": "raw.transactions",
    transactions: [],
    previous_transaction_id: transactionId(previous),
  });
  const at = frame.indexOf(listStart) + listStart.length;
  const parts = [Buffer.from(frame.slice(0, at)), ...withCommas(transactions), Buffer.from(frame.slice(at))];
  return new Encoded(Buffer.concat(parts), isSettled);
}

function beforeRetention(lt: bigint): HttpError {
  return new HttpError(500, `lt ${lt} is not in this node's history, use archival=true to reach it`, {
    reason: "history_pruned",
  });
}
