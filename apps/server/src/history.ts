/**
 * Pages of an account's history. A transaction never changes, so what was once read and written as JSON is kept, and a page walks from
 * one to the one before it without reading any of them again. So is a page for as long as it is asked for.
 */
import type { AccountId, Transaction, TransactionId } from "@chain-query/local-chain";
import type { Schemas } from "@chain-query/types";
import { LRUCache } from "lru-cache";
import type { ChainSource } from "./chain-source.ts";
import { pageBytes, transactionBytes } from "./contract/success.ts";
import { bytesOf, isSameHash } from "./convert/bytes.ts";
import { noTransaction, rawTransaction, transactionId } from "./convert/transaction.ts";
import { Refusal } from "./failure.ts";
import { heldAsJson } from "./lasting.ts";

/** What of a history is wanted. */
export interface PageQuery {
  readonly limit: number;
  /** The first of the page; the newest where absent. */
  readonly start?: TransactionId;
  /** Transactions at or below are left out; 0 leaves none out. */
  readonly aboveLt: bigint;
  /** Whether to reach what lies before the retention. */
  readonly archival: boolean;
}

type Page = Schemas["raw.transactions"];

/** Reads pages. @throws Refusal where there is no such start, or it lies before the history that is kept at hand. */
export interface History {
  page(account: AccountId, query: PageQuery): Promise<Page>;
}

interface Listed {
  readonly wire: Schemas["raw.transaction"];
  /** Bytes of its JSON. */
  readonly size: number;
  readonly id: TransactionId;
  readonly previous: TransactionId;
  readonly time: number;
  /** Where this one and the one before it are kept. */
  readonly key: string;
  readonly previousKey: string;
}

/** A page as it is answered again, for as long as its last transaction is not older than the retention. */
interface KeptPage {
  readonly page: Page;
  readonly first: TransactionId;
  readonly oldest: number;
  readonly size: number;
}

const masterchain = { workchain: -1, shard: -(2n ** 63n) };
const mostNewest = 100_000;
/** Bytes that keeping something takes beside its JSON, about; and above which a page is not worth it. */
const overhead = 700;
const largestPage = 512 * 1024;

/**
 * Makes pages from a source.
 *
 * @param cacheBytes - About how much memory may be taken by what is kept: a third by single transactions, the rest by pages.
 *
 * @example
 * ```ts
 * const history = historyOf(source, 64 * 2 ** 20);
 * const { transactions } = await history.page(account, { limit: 10, aboveLt: 0n, archival: false });
 * ```
 */
export function historyOf(source: ChainSource, cacheBytes: number): History {
  const sizeCalculation = ({ size }: { size: number }): number => size + overhead;
  const listed = new LRUCache<string, Listed>({ maxSize: Math.ceil(cacheBytes / 3), sizeCalculation });
  const pages = new LRUCache<string, KeptPage>({
    maxSize: Math.ceil((cacheBytes * 2) / 3),
    maxEntrySize: largestPage,
    sizeCalculation,
  });
  const newest = new Map<string, bigint>();
  let newestAt = -1;

  const read = async (account: AccountId, owner: string, fromLt: bigint | undefined, aboveLt: bigint, limit: number) => {
    const range = { aboveLt, ...(fromLt === undefined ? {} : { fromLt }) };
    const found = await source.transactions(account, range, limit);
    return found.map((transaction) => {
      const one = listedOf(transaction, owner);
      listed.set(one.key, one);
      return one;
    });
  };

  const one = async (account: AccountId, owner: string, lt: bigint): Promise<Listed | undefined> =>
    listed.get(keyOf(owner, lt)) ?? (await read(account, owner, lt, 0n, 1))[0];

  /** The newest one's logical time, 0 where there is none; remembered until there is another head, which may hold a newer one. */
  const newestOf = async (account: AccountId, owner: string): Promise<bigint> => {
    const { seqno } = (await source.head()).block.id;
    if (seqno !== newestAt || newest.size >= mostNewest) newest.clear();
    newestAt = seqno;
    const known = newest.get(owner);
    if (known !== undefined) return known;
    const [first] = await read(account, owner, undefined, 0n, 1);
    const lt = first?.id.lt ?? 0n;
    // Another head may have come while this was read.
    if (newestAt === seqno) newest.set(owner, lt);
    return lt;
  };

  /** As many as are wanted, from one on, down to a logical time and to a moment. */
  const walk = async (account: AccountId, owner: string, first: Listed, { limit, aboveLt }: PageQuery, since: number) => {
    const found: Listed[] = [];
    // Those just read are walked through before the kept ones, so that a page may be longer than what can be kept.
    let batch: readonly Listed[] = [first];
    let at = 0;
    while (found.length < limit) {
      const one = batch[at++];
      if (one === undefined || one.id.lt <= aboveLt || one.time < since) break;
      found.push(one);
      if (at < batch.length || one.previous.lt <= aboveLt) continue;
      const kept = listed.get(one.previousKey);
      batch = kept === undefined ? await read(account, owner, one.previous.lt, aboveLt, limit - found.length) : [kept];
      at = 0;
    }
    return found;
  };

  return {
    async page(account, query) {
      const { limit, start, aboveLt, archival } = query;
      const owner = `${account.workchain} ${bytesOf(account.hash).toString("latin1")} `;
      const since = archival ? 0 : await source.retainedSince();
      const lt = start?.lt ?? (await newestOf(account, owner));
      const name = `${owner}${lt} ${limit} ${aboveLt}`;
      const isStart = ({ hash }: TransactionId): boolean => start === undefined || isSameHash(hash, start.hash);
      const same = pages.get(name);
      if (same !== undefined && same.oldest >= since && isStart(same.first)) return same.page;
      const first = lt === 0n ? undefined : await one(account, owner, lt);
      if (first === undefined || first.id.lt !== lt || !isStart(first.id)) {
        if (start !== undefined) throw await noSuchStart(source, start, since);
        return pageOf([], noTransaction);
      }
      if (first.time < since) throw beforeHistory(lt);
      const found = await walk(account, owner, first, query, since);
      const last = found.at(-1);
      if (last === undefined) return pageOf([], noTransaction);
      const page = pageOf(found, last.previous);
      // One that the retention has cut short is of this moment only.
      if (found.length < limit && last.previous.lt > aboveLt) return page;
      const bytes = pageBytes(page);
      const kept = { page: heldAsJson<Page>(bytes), first: first.id, oldest: last.time, size: bytes.length };
      pages.set(name, kept);
      return kept.page;
    },
  };
}

function pageOf(listed: readonly Listed[], next: TransactionId): Page {
  return {
    "@type": "raw.transactions",
    transactions: listed.map(({ wire }) => wire),
    previous_transaction_id: transactionId(next),
  };
}

function keyOf(owner: string, lt: bigint): string {
  return owner + lt;
}

function listedOf(transaction: Transaction, owner: string): Listed {
  const { id, previous, time } = transaction;
  const bytes = transactionBytes(rawTransaction(transaction));
  return {
    wire: heldAsJson(bytes),
    size: bytes.length,
    id,
    previous,
    time,
    key: keyOf(owner, id.lt),
    previousKey: keyOf(owner, previous.lt),
  };
}

/** Before the retention nobody without the archive can tell whether there ever was such a transaction. */
async function noSuchStart(source: ChainSource, { lt }: TransactionId, since: number): Promise<Refusal> {
  const block = await source.block(masterchain, { lt });
  if (block !== undefined && block.time < since) return beforeHistory(lt);
  return new Refusal(404, `transaction was not found: the account has none with lt ${lt} and this hash`);
}

function beforeHistory(lt: bigint): Refusal {
  return new Refusal(500, `lt ${lt} is not in this node's history, use archival=true to reach it`);
}
