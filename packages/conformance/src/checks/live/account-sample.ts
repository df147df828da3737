/** The accounts of the live checks: accounts with transactions, found in responses of the service. */
import { rawAddressOf } from "../../address.ts";
import { documentedRequests, inputOf } from "../../contract/documented-requests.ts";
import type { Exchange } from "../../service/exchange.ts";
import { type Context, NotApplicable, RequestFailed, sharedOnce } from "../check.ts";
import {
  type AccountResult,
  addressTextOf,
  type Fetched,
  type Page,
  type TransactionId,
  tryFetch,
  type WireTransaction,
} from "./fetch.ts";

/** An account and its latest transactions. */
export interface Account {
  /** In raw form. */
  readonly address: string;
  readonly state: AccountResult;
  /** The exchange that the state came with. */
  readonly stateExchange: Exchange;
  /** Newest first. */
  readonly history: readonly WireTransaction[];
  /** The pages that the history came in. */
  readonly pages: readonly Fetched<Page>[];
}

/** Enough accounts and pages to test the rules, and few enough for one request per second. */
const bounds = { candidates: 12, accounts: 2, history: 12, page: 5, pages: 6 };

/** Contracts that every network of this family has at these addresses, with transactions in every block. */
const systemContracts = [`-1:${"5".repeat(64)}`, `-1:${"3".repeat(64)}`];

/** The accounts of the contract's examples, which a mock or a test network may have. */
const exampleAccounts = documentedRequests
  .filter(({ request, statuses }) => request.operation === "getAddressInformation" && statuses.includes(200))
  .map(({ request }) => String(inputOf(request)["address"]));

/** Accounts with transactions; throws NotApplicable if none is found. */
export async function accountsOf(context: Context): Promise<readonly [Account, ...Account[]]> {
  const [first, ...others] = await sharedOnce(context, "accounts", () => findAccounts(context));
  if (first === undefined) throw new NotApplicable("no account with transactions is known; name one with --account");
  return [first, ...others];
}

/** The account with the longest known history; throws NotApplicable if it has fewer transactions than `least`. */
export async function accountWithHistory(context: Context, least: number): Promise<Account> {
  const [longest] = [...(await accountsOf(context))].sort((a, b) => b.history.length - a.history.length);
  if (longest === undefined || longest.history.length < least) {
    throw new NotApplicable(`no account with ${least} transactions is known; name one with --account`);
  }
  return longest;
}

/** All transactions of the known accounts. */
export async function transactionsOf(
  context: Context,
): Promise<{ transaction: WireTransaction; account: Account; page: Fetched<Page> }[]> {
  return (await accountsOf(context)).flatMap((account) =>
    account.pages.flatMap((page) => page.result.transactions.map((transaction) => ({ transaction, account, page }))),
  );
}

/** Tries the accounts given by the caller first, and after each account the recipients of its messages. */
async function findAccounts(context: Context): Promise<Account[]> {
  const queue = [...context.accounts, ...exampleAccounts, ...systemContracts];
  const seen = new Set<string>();
  const accounts: Account[] = [];
  for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
    const address = rawAddressOf(text);
    if (address === undefined || seen.has(address)) continue;
    if (seen.size === bounds.candidates || accounts.length === bounds.accounts) break;
    seen.add(address);
    const { result: state, exchange: stateExchange } = await tryFetch(context, "getAddressInformation", { address });
    if (state === undefined || state.last_transaction_id.lt === "0") continue;
    const pages = await fetchPages(context, address, state.last_transaction_id);
    if (pages.length === 0) continue;
    const history = pages.flatMap(({ result }) => result.transactions);
    accounts.push({ address, state, stateExchange, history, pages });
    const recipients = history.flatMap(({ out_msgs }) => out_msgs.map(({ destination }) => addressTextOf(destination)));
    queue.unshift(...recipients.filter((recipient) => recipient !== ""));
  }
  return accounts;
}

/** Follows the cursors of the pages from a transaction backwards, to the end of the node's own history at most. */
async function fetchPages(context: Context, address: string, start: TransactionId): Promise<Fetched<Page>[]> {
  const pages: Fetched<Page>[] = [];
  let next = start;
  let count = 0;
  while (next.lt !== "0" && count < bounds.history && pages.length < bounds.pages) {
    const page = await fetchPage(context, { address, limit: bounds.page, lt: next.lt, hash: next.hash });
    if (page === undefined) break;
    pages.push(page);
    next = page.result.previous_transaction_id;
    count += page.result.transactions.length;
  }
  return pages;
}

/** A page; undefined if it is before the history of the node and only `archival=true` reaches it (D-26). */
async function fetchPage(context: Context, input: Readonly<Record<string, unknown>>): Promise<Fetched<Page> | undefined> {
  const { result, exchange } = await tryFetch(context, "getTransactionsStd", input);
  if (result !== undefined) return { result, exchange };
  const archived = await tryFetch(context, "getTransactionsStd", { ...input, archival: true });
  if (archived.result !== undefined) return undefined;
  throw new RequestFailed(exchange, "200 with a result");
}
