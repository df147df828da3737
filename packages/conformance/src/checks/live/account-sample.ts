/** The data of the service that the live checks try their laws on: its accounts with a history, found from its own answers. */
import { rawAddressOf } from "../../address.ts";
import { documentedRequests, inputOf } from "../../contract/documented-requests.ts";
import type { Exchange } from "../../service/exchange.ts";
import { type Context, NotApplicable, Unserved } from "../check.ts";
import {
  type AccountState,
  breachOf,
  endOf,
  type Found,
  once,
  type Page,
  type Transaction,
  type TransactionId,
  tried,
} from "./typed-requests.ts";

/** An account with what is known of its latest transactions, newest first. */
export interface Account {
  /** In raw form. */
  readonly address: string;
  readonly state: AccountState;
  /** What was asked for the state. */
  readonly asked: Exchange;
  readonly history: readonly Transaction[];
  /** The transaction after the last of the history, lt "0" where the history is complete. */
  readonly next: TransactionId;
  /** Where the history came from. */
  readonly pages: readonly Found<Page>[];
}

/** As many as tell something, and few enough for one request per second. */
const bounds = { candidates: 12, accounts: 2, history: 12, page: 5, pages: 6 };

/** Contracts that every network of this family has at the same place, and that the clock starts in every block. */
const ofEveryNetwork = [`-1:${"5".repeat(64)}`, `-1:${"3".repeat(64)}`];

/** The accounts of the contract's examples; a mock and a test network may have them. */
const ofTheExamples = documentedRequests
  .filter(({ request, statuses }) => request.operation === "getAddressInformation" && statuses.includes(200))
  .map(({ request }) => String(inputOf(request)["address"]));

/** Accounts with a history. Without one there is nothing to try most laws on. */
export async function accountsOf(context: Context): Promise<readonly Account[]> {
  const accounts = await once(context, "accounts", () => search(context));
  if (accounts.length === 0) throw new NotApplicable("no account with transactions is known; name one with --account");
  return accounts;
}

/** The account with the longest known history. */
export async function richestAccount(context: Context, transactions: number): Promise<Account> {
  const [richest] = [...(await accountsOf(context))].sort((a, b) => b.history.length - a.history.length);
  if (richest === undefined || richest.history.length < transactions) {
    throw new NotApplicable(`no account with ${transactions} transactions is known; name one with --account`);
  }
  return richest;
}

/** All transactions that are known. */
export async function transactionsOf(
  context: Context,
): Promise<{ transaction: Transaction; account: Account; page: Found<Page> }[]> {
  return (await accountsOf(context)).flatMap((account) =>
    account.pages.flatMap((page) => page.result.transactions.map((transaction) => ({ transaction, account, page }))),
  );
}

/** Named accounts first, then those that others have dealt with. */
async function search(context: Context): Promise<Account[]> {
  const waiting = [...context.accounts, ...ofTheExamples, ...ofEveryNetwork];
  const seen = new Set<string>();
  const accounts: Account[] = [];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const raw = rawAddressOf(address);
    if (raw === undefined || seen.has(raw)) continue;
    if (seen.size === bounds.candidates || accounts.length === bounds.accounts) break;
    seen.add(raw);
    const { result: state, exchange: asked } = await tried(context, "getAddressInformation", { address: raw });
    if (state === undefined || state.last_transaction_id.lt === "0") continue;
    const account = { address: raw, state, asked, ...(await historyOf(context, raw, state.last_transaction_id)) };
    if (account.pages.length === 0) continue;
    accounts.push(account);
    const partners = account.history.flatMap(({ out_msgs }) => out_msgs.map(({ destination }) => endOf(destination)));
    waiting.unshift(...partners.filter((partner) => partner !== ""));
  }
  return accounts;
}

/** Walks back from a transaction by the cursors of the pages, as far as the node itself reaches. */
async function historyOf(
  context: Context,
  address: string,
  start: TransactionId,
): Promise<Pick<Account, "history" | "next" | "pages">> {
  const pages: Found<Page>[] = [];
  let next = start;
  let count = 0;
  while (next.lt !== "0" && count < bounds.history && pages.length < bounds.pages) {
    const page = await pageFrom(context, { address, limit: bounds.page, lt: next.lt, hash: next.hash });
    if (page === undefined) break;
    pages.push(page);
    next = page.result.previous_transaction_id;
    count += page.result.transactions.length;
  }
  return { history: pages.flatMap(({ result }) => result.transactions), next, pages };
}

/** A page; undefined where it lies before the history of the node, which only `archival=true` reaches (D-26). */
async function pageFrom(context: Context, input: Readonly<Record<string, unknown>>): Promise<Found<Page> | undefined> {
  const { result, exchange } = await tried(context, "getTransactionsStd", input);
  if (result !== undefined) return { result, exchange };
  const archived = await tried(context, "getTransactionsStd", { ...input, archival: true });
  if (archived.result !== undefined) return undefined;
  throw new Unserved(breachOf(exchange, "200 with a result"));
}
