/** Checks of the listing of an account's transactions. */
import { type Check, type Context, NotApplicable } from "../check.ts";
import { type Account, accountsOf, accountWithHistory } from "./account-sample.ts";
import { headerInCell } from "./cells.ts";
import {
  type Fetched,
  fetchResult,
  isSameTransaction,
  type Page,
  pageFrom,
  type TransactionId,
  transactionName,
} from "./fetch.ts";

const end = { lt: "0", hash: Buffer.alloc(32).toString("base64") };

export const historyChecks: readonly Check[] = [
  {
    id: "live/history-begins-at-last",
    description: "a listing without a start begins at the account's last transaction or a newer one",
    rule: "D-14",
    operations: ["getTransactionsStd", "getAddressInformation"],
    run: async (context) => {
      for (const { address, state } of await accountsOf(context)) {
        const last = state.last_transaction_id;
        const { result, exchange } = await fetchResult(context, "getTransactionsStd", { address, limit: 1 });
        const first = result.transactions[0]?.transaction_id;
        const isRight = isSameTransaction(first, last) || BigInt(first?.lt ?? 0) > BigInt(last.lt);
        context.expect(isRight, exchange, `${transactionName(last)} or a newer one`, transactionName(first));
      }
    },
  },
  {
    id: "live/page-includes-start",
    description: "a page begins with the transaction that lt and hash name",
    rule: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { address, history } = await accountWithHistory(context, 1);
      for (const { transaction_id } of history.slice(0, 3)) {
        const { result, exchange } = await pageFrom(context, address, transaction_id, 1);
        const first = result.transactions[0]?.transaction_id;
        const isRight = isSameTransaction(first, transaction_id);
        context.expect(isRight, exchange, transactionName(transaction_id), transactionName(first));
      }
    },
  },
  {
    id: "live/pages-join",
    description: "a page of one and the page of two at its cursor are the page of three",
    rule: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { address, state } = await accountWithHistory(context, 3);
      const start = state.last_transaction_id;
      const whole = await firstOverPages(context, address, start, 3, [3, 3, 3]);
      const parts = await firstOverPages(context, address, start, 3, [1, 2, 1]);
      context.expect(whole.names === parts.names, parts.exchange, `the pages together: ${whole.names}`, parts.names);
    },
  },
  {
    id: "live/previous-id",
    description: "the cursor after a page names the transaction that is listed next",
    rule: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { address, history } = await accountWithHistory(context, 2);
      for (const [index, { transaction_id }] of history.slice(0, 3).entries()) {
        const { result, exchange } = await pageFrom(context, address, transaction_id, 1);
        const next = history[index + 1]?.transaction_id;
        if (next === undefined || result.transactions.length !== 1) continue;
        const cursor = result.previous_transaction_id;
        const expected = `previous_transaction_id ${transactionName(next)}`;
        context.expect(isSameTransaction(cursor, next), exchange, expected, transactionName(cursor));
      }
    },
  },
  {
    id: "live/no-transaction-twice",
    description: "no transaction is listed twice, and logical time falls from page to page",
    rule: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      for (const { pages } of await accountsOf(context)) {
        let lowest: bigint | undefined;
        for (const { result, exchange } of pages) {
          const lts = result.transactions.map(({ transaction_id }) => BigInt(transaction_id.lt));
          const [first] = lts;
          const follows = lowest === undefined || first === undefined || first < lowest;
          context.expect(follows, exchange, `a page that begins below lt ${lowest}`, `lt ${first}`);
          const repeated = lts.find((lt, index) => lts.indexOf(lt) !== index);
          context.expect(repeated === undefined, exchange, "each transaction once", `lt ${repeated} twice`);
          lowest = lts.at(-1) ?? lowest;
        }
      }
    },
  },
  {
    id: "live/end-of-history",
    description: "after the first transaction of an account the cursor is lt 0 with a hash of 32 zero bytes",
    rule: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const ends = (await accountsOf(context)).flatMap(({ pages }) =>
        pages.filter(({ result }) => result.previous_transaction_id.lt === "0" || endsWithFirst(result)),
      );
      if (ends.length === 0) throw new NotApplicable("every known account has a longer history than was listed");
      for (const { result, exchange } of ends) {
        const cursor = result.previous_transaction_id;
        const expected = "lt 0 with 32 zero bytes, as no transaction is older";
        context.expect(isSameTransaction(cursor, end), exchange, expected, transactionName(cursor));
      }
    },
  },
  {
    id: "live/hash-forms",
    description: "a hash means the same in hexadecimal and in either base64 alphabet",
    rule: "D-37",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { address, history } = await accountWithHistory(context, 1);
      const { lt, hash } = history[0]?.transaction_id ?? end;
      const hex = Buffer.from(hash, "base64").toString("hex");
      for (const form of [hex, hex.toUpperCase(), hash.replaceAll("+", "-").replaceAll("/", "_")]) {
        const { result, exchange } = await pageFrom(context, address, { lt, hash: form }, 1);
        const first = result.transactions[0]?.transaction_id;
        context.expect(isSameTransaction(first, { lt, hash }), exchange, transactionName({ lt, hash }), transactionName(first));
      }
    },
  },
  {
    id: "live/limit",
    description: "a page has at most limit transactions, and at most ten without limit",
    rule: "D-15",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { address, state } = await accountWithHistory(context, 2);
      for (const limit of [1, 2, undefined]) {
        const { result, exchange } = await pageFrom(context, address, state.last_transaction_id, limit);
        const count = result.transactions.length;
        context.expect(count <= (limit ?? 10), exchange, `${limit ?? 10} transactions at most`, String(count));
      }
    },
  },
  {
    id: "live/to-lt",
    description: "a page has the transactions above to_lt and none at or below it",
    rule: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const account = await accountWithHistory(context, 2);
      const second = BigInt(account.history[1]?.transaction_id.lt ?? 0);
      for (const [bound, expected] of [
        [second, 1],
        [second - 1n, 2],
        [BigInt(account.state.last_transaction_id.lt), 0],
      ] as const) {
        const { result, exchange } = await boundedPage(context, account, bound, 2);
        const namesOf = (transactions: Account["history"]): string =>
          transactions.map(({ transaction_id }) => transactionName(transaction_id)).join(", ") || "no transaction";
        const got = namesOf(result.transactions);
        const due = namesOf(account.history.slice(0, expected));
        context.expect(got === due, exchange, due, got);
      }
    },
  },
  {
    id: "live/to-lt-0",
    description: "to_lt 0 excludes nothing",
    rule: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { result, exchange } = await boundedPage(context, await accountWithHistory(context, 1), 0n, 1);
      const { length } = result.transactions;
      context.expect(length === 1, exchange, "one transaction", String(length));
    },
  },
];

/** Whether the cell of a page's last transaction says that no transaction precedes it. */
function endsWithFirst({ transactions }: Page): boolean {
  const last = transactions.at(-1);
  return last !== undefined && headerInCell(last)?.previousLt === "0";
}

/** Names the first transactions over several pages, because a page may be shorter than its limit. */
async function firstOverPages(
  context: Context,
  address: string,
  start: TransactionId,
  count: number,
  limits: readonly number[],
): Promise<{ names: string; exchange: Fetched<Page>["exchange"] }> {
  let page = await pageFrom(context, address, start, limits[0]);
  const transactions = [...page.result.transactions];
  for (const limit of limits.slice(1)) {
    const next = page.result.previous_transaction_id;
    if (transactions.length >= count || next.lt === "0") break;
    page = await pageFrom(context, address, next, limit);
    transactions.push(...page.result.transactions);
  }
  const names = transactions.slice(0, count).map(({ transaction_id }) => transactionName(transaction_id));
  return { names: names.join(", "), exchange: page.exchange };
}

function boundedPage(context: Context, { address, state }: Account, bound: bigint, limit: number): Promise<Fetched<Page>> {
  const { lt, hash } = state.last_transaction_id;
  return fetchResult(context, "getTransactionsStd", { address, lt, hash, limit, to_lt: String(bound) });
}
