/** Checks of the parameters that bound a page: limit and to_lt. */
import type { Check, Context } from "../check.ts";
import { type Account, accountWithHistory } from "./account-sample.ts";
import { type Fetched, fetchResult, type Page, pageFrom, transactionName } from "./fetch.ts";

export const pageBoundChecks: readonly Check[] = [
  {
    id: "live/limit",
    says: "a page has at most limit transactions, and at most ten without limit",
    law: "D-15",
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
    says: "a page has the transactions above to_lt and none at or below it",
    law: "D-14",
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
    says: "to_lt 0 excludes nothing",
    law: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { result, exchange } = await boundedPage(context, await accountWithHistory(context, 1), 0n, 1);
      const { length } = result.transactions;
      context.expect(length === 1, exchange, "one transaction", String(length));
    },
  },
];

function boundedPage(context: Context, { address, state }: Account, bound: bigint, limit: number): Promise<Fetched<Page>> {
  const { lt, hash } = state.last_transaction_id;
  return fetchResult(context, "getTransactionsStd", { address, lt, hash, limit, to_lt: String(bound) });
}
