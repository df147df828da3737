/** Checks of listing an account's transactions. */
import { type Check, type Context, NotApplicable } from "../check.ts";
import { accountsOf, accountWithHistory } from "./account-sample.ts";
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
    says: "a listing without a start begins at the account's last transaction or a newer one",
    law: "#/components/parameters/lt",
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
    says: "a page begins with the transaction that lt and hash name",
    law: "D-14",
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
    says: "a page of one and the page of two at its cursor are the page of three",
    law: "D-14",
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
    says: "the cursor after a page names the transaction that is listed next",
    law: "D-14",
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
    says: "no transaction is listed twice, and logical time falls from page to page",
    law: "D-14",
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
    says: "after the first transaction of an account the cursor is lt 0 with a hash of 32 zero bytes",
    law: "D-14",
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
    says: "a hash means the same in hexadecimal and in either base64 alphabet",
    law: "D-37",
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
