/**
 * Pages of an account's transactions as JSON. A transaction never changes, so transactions and pages are kept as JSON in bounded caches;
 * different pages share the transactions that they have in common.
 */
import type { AccountId, Transaction, TransactionId } from "@chain-query/local-chain";
import type { Schemas } from "@chain-query/types";
import { LRUCache } from "lru-cache";
import type { ChainSource } from "../chain-source.ts";
import { noTransaction, rawTransaction, transactionId } from "../convert/account.ts";
import { bytesOf, isSameHash } from "../convert/bytes.ts";
import { Refusal } from "../failure.ts";
import { Encoded, encode, encodeTransaction, unpooledBytes } from "./encoded.ts";

/** The part of a history that a page covers. */
export interface PageQuery {
  readonly limit: number;
  /** The first transaction of the page; the account's newest if absent. */
  readonly start?: TransactionId;
  /** Leaves out transactions with this logical time or a lower one; 0 leaves out none. */
  readonly aboveLt: bigint;
  /** Whether to include transactions from before the retention. */
  readonly archival: boolean;
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
  /** Cache keys of this transaction and of the account's previous one. */
  readonly key: string;
  readonly previousKey: string;
}

/** A page that is valid while its oldest transaction is within the retention. */
interface CachedPage {
  readonly page: Page;
  readonly first: TransactionId;
  readonly oldestTime: number;
}

const masterchain = { workchain: -1, shard: -(2n ** 63n) };
const maxNewest = 100_000;
/** Estimated bytes of a cache entry besides its JSON. */
const entryOverhead = 700;
/** Longer pages are not kept, nor are their transactions: they would push out everything that is asked for more often. */
const longestKept = 100;
/** Transactions that are read or encoded without a break for other requests. */
const batchSize = 25;

/**
 * Reads and caches pages.
 *
 * @example
 * ```ts
 * const pages = new TransactionPages(source, 64 * 2 ** 20);
 * const { json } = await pages.page(account, { limit: 10, aboveLt: 0n, archival: false });
 * ```
 */
export class TransactionPages {
  readonly #source: ChainSource;
  readonly #transactions: LRUCache<string, CachedTransaction>;
  readonly #pages: LRUCache<string, CachedPage>;
  /** The newest logical time of accounts, by key, as of the head #newestAt; 0 for an account without transactions. */
  readonly #newest = new Map<string, bigint>();
  #newestAt = -1;
  /** Pages that are being read, by everything that they depend on. */
  readonly #reading = new Map<string, Promise<Page>>();
  readonly #nextTurn = createTurns();
  #longPage: Promise<unknown> = Promise.resolve();

  /** @param cacheBytes - Memory for the caches, approximately: a third for transactions, the rest for pages. */
  constructor(source: ChainSource, cacheBytes: number) {
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

  /** Reads a page. @throws Refusal if the start does not exist, or lies before the retention. */
  async page(accountId: AccountId, query: PageQuery): Promise<Page> {
    const account = accountOf(accountId);
    const since = query.archival ? 0 : await this.#source.retainedSince();
    const lt = query.start?.lt ?? (await this.#newestLt(account));
    const key = `${account.key}${lt} ${query.limit} ${query.aboveLt}`;
    const cached = this.#pages.get(key);
    if (cached !== undefined && cached.oldestTime >= since && isStartOf(query, cached.first)) return cached.page;

    const hash = query.start === undefined ? "" : bytesOf(query.start.hash).toString("latin1");
    const reading = `${key} ${since} ${hash}`;
    const same = this.#reading.get(reading);
    if (same !== undefined) return same;
    const read = (): Promise<Page> => this.#readPage(account, lt, key, query, since);
    const page = (query.limit > longestKept ? this.#afterLongPages(read) : read()).finally(() => this.#reading.delete(reading));
    this.#reading.set(reading, page);
    return page;
  }

  /** Reads long pages one after another, so that one of them is in memory besides those that are being sent. */
  #afterLongPages(read: () => Promise<Page>): Promise<Page> {
    const page = this.#longPage.then(read);
    this.#longPage = page.then(
      () => {},
      () => {},
    );
    return page;
  }

  async #readPage(account: Account, lt: bigint, key: string, query: PageQuery, since: number): Promise<Page> {
    const first = lt === 0n ? undefined : await this.#transaction(account, lt);
    if (first === undefined || first.id.lt !== lt || !isStartOf(query, first.id)) {
      if (query.start === undefined) return emptyPage;
      throw await this.#missingStart(query.start, since);
    }
    if (first.time < since) throw beforeRetention(lt);
    const { parts, count, last } = await this.#walk(account, first, query, since);
    if (count === 0) return emptyPage;
    if (count > batchSize) await this.#nextTurn();
    const page = encodePage(parts, last.previous);
    // A page that the retention cuts short becomes shorter with time.
    const isCut = count < query.limit && last.previous.lt > query.aboveLt;
    if (!isCut && count <= longestKept) this.#pages.set(key, { page, first: first.id, oldestTime: last.time });
    return page;
  }

  async #newestLt(account: Account): Promise<bigint> {
    const { seqno } = (await this.#source.head()).block.id;
    if (seqno !== this.#newestAt || this.#newest.size >= maxNewest) this.#newest.clear();
    this.#newestAt = seqno;
    const known = this.#newest.get(account.key);
    if (known !== undefined) return known;
    const [newest] = this.#keep(await this.#read(account, undefined, 0n, 1));
    const lt = newest?.id.lt ?? 0n;
    // The head may have changed while this was read.
    if (this.#newestAt === seqno) this.#newest.set(account.key, lt);
    return lt;
  }

  async #transaction(account: Account, lt: bigint): Promise<CachedTransaction | undefined> {
    return this.#transactions.get(account.key + lt) ?? this.#keep(await this.#read(account, lt, 0n, 1))[0];
  }

  /** Reads from the source. */
  async #read(account: Account, fromLt: bigint | undefined, aboveLt: bigint, limit: number): Promise<CachedTransaction[]> {
    const range = { aboveLt, ...(fromLt === undefined ? {} : { fromLt }) };
    const transactions = await this.#source.transactions(account.id, range, limit);
    return transactions.map((transaction) => cachedTransaction(transaction, account));
  }

  #keep(transactions: readonly CachedTransaction[]): readonly CachedTransaction[] {
    for (const transaction of transactions) this.#transactions.set(transaction.key, transaction);
    return transactions;
  }

  /** The transactions from `first` on, newest first, within the limit, the lowest logical time and the retention. */
  async #walk(
    account: Account,
    first: CachedTransaction,
    { limit, aboveLt }: PageQuery,
    since: number,
  ): Promise<{ readonly parts: readonly Buffer[]; readonly count: number; readonly last: CachedTransaction }> {
    const parts: Buffer[] = [];
    let [count, last] = [0, first];
    let batch: readonly CachedTransaction[] = [first];
    for (;;) {
      const within = batch.filter(({ id, time }) => id.lt > aboveLt && time >= since);
      const end = within.at(-1);
      if (end === undefined) break;
      parts.push(within.length === 1 ? end.json : Buffer.concat(withCommas(within.map(({ json }) => json))));
      count += within.length;
      last = end;
      if (within.length < batch.length || count === limit || last.previous.lt <= aboveLt) break;
      const cached = this.#transactions.get(last.previousKey);
      if (cached === undefined) {
        if (limit > batchSize) await this.#nextTurn();
        batch = await this.#read(account, last.previous.lt, aboveLt, Math.min(batchSize, limit - count));
        if (limit <= longestKept) this.#keep(batch);
      } else batch = [cached];
    }
    return { parts, count, last };
  }

  /** Without the archive, a start before the retention cannot be told from one that never existed. */
  async #missingStart({ lt }: TransactionId, since: number): Promise<Refusal> {
    const block = await this.#source.block(masterchain, { lt });
    if (block !== undefined && block.time < since) return beforeRetention(lt);
    return new Refusal(404, `transaction was not found: the account has none with lt ${lt} and this hash`);
  }
}

/** A function that lets one of its callers continue in each turn of the event loop. */
function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => new Promise((resolve) => setImmediate(resolve))));
}

function accountOf(id: AccountId): Account {
  return { id, key: `${id.workchain} ${bytesOf(id.hash).toString("latin1")} ` };
}

function isStartOf({ start }: PageQuery, { hash }: TransactionId): boolean {
  return start === undefined || isSameHash(hash, start.hash);
}

function cachedTransaction(transaction: Transaction, account: Account): CachedTransaction {
  const [id, previous] = [unsharedId(transaction.id), unsharedId(transaction.previous)];
  return {
    json: unpooledBytes(encodeTransaction(rawTransaction(transaction))),
    id,
    previous,
    time: transaction.time,
    key: account.key + id.lt,
    previousKey: account.key + previous.lt,
  };
}

/** An id that does not keep the record in memory that its hash is a view of. */
function unsharedId({ lt, hash }: TransactionId): TransactionId {
  return { lt, hash: new Uint8Array(hash) };
}

const listStart = '"transactions":[';
const comma = Buffer.from(",");
const emptyPage: Page = encodePage([], noTransaction);

function withCommas(parts: readonly Buffer[]): Buffer[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [comma, part]));
}

/** Inserts the JSON of transactions into the JSON of a page without any. */
function encodePage(transactions: readonly Buffer[], previous: TransactionId): Page {
  const frame = encode("getTransactionsStd", {
    "@type": "raw.transactions",
    transactions: [],
    previous_transaction_id: transactionId(previous),
  });
  const at = frame.indexOf(listStart) + listStart.length;
  return new Encoded(
    Buffer.concat([Buffer.from(frame.slice(0, at)), ...withCommas(transactions), Buffer.from(frame.slice(at))]),
  );
}

function beforeRetention(lt: bigint): Refusal {
  return new Refusal(500, `lt ${lt} is not in this node's history, use archival=true to reach it`);
}
