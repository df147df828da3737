/** Laws of what bounds a page: limit and to_lt. */
import type { Breach, Check, Context } from "../check.ts";
import { type Account, richestAccount } from "./account-sample.ts";
import { nameOf, pageFrom } from "./pages.ts";
import { found, unless } from "./typed-requests.ts";

export const boundChecks: readonly Check[] = [
  {
    id: "live/limit",
    says: "a page has no more transactions than limit, and ten where none is given",
    law: "D-15",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { address, state } = await richestAccount(context, 2);
      const breaches: Breach[] = [];
      for (const limit of [1, 2, undefined]) {
        const { result, exchange } = await pageFrom(context, address, state.last_transaction_id, limit);
        const count = result.transactions.length;
        breaches.push(...unless(count <= (limit ?? 10), exchange, `${limit ?? 10} transactions at most`, String(count)));
      }
      return breaches;
    },
  },
  {
    id: "live/to-lt",
    says: "transactions at or below to_lt are left out, and those above are not",
    law: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const account = await richestAccount(context, 2);
      const { transaction_id } = account.history[1] ?? {};
      const lt = BigInt(transaction_id?.lt ?? 0);
      const breaches: Breach[] = [];
      for (const [bound, expected] of [
        [lt, 1],
        [lt - 1n, 2],
        [BigInt(account.state.last_transaction_id.lt), 0],
      ] as const) {
        const { result, exchange } = await boundedPage(context, account, bound, 2);
        const got = result.transactions.map(({ transaction_id }) => nameOf(transaction_id));
        const due = account.history.slice(0, expected).map(({ transaction_id }) => nameOf(transaction_id));
        breaches.push(
          ...unless(
            String(got) === String(due),
            exchange,
            due.join(", ") || "no transaction",
            got.join(", ") || "no transaction",
          ),
        );
      }
      return breaches;
    },
  },
  {
    id: "live/to-lt-0",
    says: "to_lt 0 bounds nothing",
    law: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const account = await richestAccount(context, 1);
      const { result, exchange } = await boundedPage(context, account, 0n, 1);
      return unless(result.transactions.length === 1, exchange, "one transaction", String(result.transactions.length));
    },
  },
];

function boundedPage(
  context: Context,
  { address, state }: Account,
  bound: bigint,
  limit: number,
): ReturnType<typeof found<"getTransactionsStd">> {
  const { lt, hash } = state.last_transaction_id;
  return found(context, "getTransactionsStd", { address, lt, hash, limit, to_lt: String(bound) });
}
