/** Laws of listing an account's transactions. */
import { type Breach, type Check, type Context, NotApplicable } from "../check.ts";
import { accountsOf, richestAccount } from "./account-sample.ts";
import { statementsOf } from "./cells.ts";
import { isSame, nameOf, pageFrom } from "./pages.ts";
import { breachOf, found, type Page, type Transaction, type TransactionId, unless } from "./typed-requests.ts";

const end: TransactionId = { lt: "0", hash: Buffer.alloc(32).toString("base64") };

/** Whether a page's last transaction says in its cell that there is none before it. */
function endsWithFirst({ transactions }: Page): boolean {
  const last = transactions.at(-1);
  return last !== undefined && statementsOf(last)?.previousLt === "0";
}

export const historyChecks: readonly Check[] = [
  {
    id: "live/history-begins-at-last",
    says: "a listing without a start begins at the account's last transaction or a newer one",
    law: "#/components/parameters/lt",
    operations: ["getTransactionsStd", "getAddressInformation"],
    run: async (context) => {
      const breaches: Breach[] = [];
      for (const { address, state } of await accountsOf(context)) {
        const last = state.last_transaction_id;
        const { result, exchange } = await found(context, "getTransactionsStd", { address, limit: 1 });
        const first = result.transactions[0]?.transaction_id;
        const isRight = first !== undefined && (isSame(first, last) || BigInt(first.lt) > BigInt(last.lt));
        breaches.push(
          ...unless(
            isRight,
            exchange,
            `${nameOf(last)} or a newer one`,
            first === undefined ? "no transaction" : nameOf(first),
          ),
        );
      }
      return breaches;
    },
  },
  {
    id: "live/page-includes-start",
    says: "a page begins with the transaction that lt and hash name",
    law: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { address, history } = await richestAccount(context, 1);
      const breaches: Breach[] = [];
      for (const { transaction_id } of history.slice(0, 3)) {
        const { result, exchange } = await pageFrom(context, address, transaction_id, 1);
        const first = result.transactions[0]?.transaction_id;
        const isRight = first !== undefined && isSame(first, transaction_id);
        breaches.push(
          ...unless(isRight, exchange, nameOf(transaction_id), first === undefined ? "no transaction" : nameOf(first)),
        );
      }
      return breaches;
    },
  },
  {
    id: "live/pages-join",
    says: "a page of one and the page of two at its cursor are the page of three",
    law: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { address, state } = await richestAccount(context, 3);
      const start = state.last_transaction_id;
      const whole = await taken(context, address, start, 3, [3, 3, 3]);
      const parts = await taken(context, address, start, 3, [1, 2, 1]);
      const [one, other] = [whole, parts].map(({ transactions }) =>
        transactions.map(({ transaction_id }) => nameOf(transaction_id)),
      );
      return unless(
        String(one) === String(other),
        parts.exchange,
        `the pages together: ${one?.join(", ")}`,
        other?.join(", ") ?? "",
      );
    },
  },
  {
    id: "live/previous-id",
    says: "the cursor after a page names the transaction that is listed next",
    law: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { address, history } = await richestAccount(context, 2);
      const breaches: Breach[] = [];
      for (const [index, { transaction_id }] of history.slice(0, 3).entries()) {
        const { result, exchange } = await pageFrom(context, address, transaction_id, 1);
        const next = history[index + 1]?.transaction_id;
        if (next === undefined || result.transactions.length !== 1) continue;
        const cursor = result.previous_transaction_id;
        breaches.push(...unless(isSame(cursor, next), exchange, `previous_transaction_id ${nameOf(next)}`, nameOf(cursor)));
      }
      return breaches;
    },
  },
  {
    id: "live/no-transaction-twice",
    says: "no transaction is listed twice, and logical time falls from page to page",
    law: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const breaches: Breach[] = [];
      for (const { pages } of await accountsOf(context)) {
        let lowest: bigint | undefined;
        for (const { result, exchange } of pages) {
          const [first] = result.transactions;
          const lt = first === undefined ? undefined : BigInt(first.transaction_id.lt);
          if (lowest !== undefined && lt !== undefined && lt >= lowest) {
            breaches.push(breachOf(exchange, `a page that begins below lt ${lowest}`, `lt ${lt}`));
          }
          const lts = result.transactions.map(({ transaction_id }) => BigInt(transaction_id.lt));
          const repeated = lts.find((one, index) => lts.indexOf(one) !== index);
          if (repeated !== undefined) breaches.push(breachOf(exchange, "each transaction once", `lt ${repeated} twice`));
          lowest = lts.at(-1) ?? lowest;
        }
      }
      return breaches;
    },
  },
  {
    id: "live/end-of-history",
    says: "after the first transaction of an account, the cursor is lt 0 with a hash of 32 zero bytes",
    law: "D-14",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const ends = (await accountsOf(context)).flatMap(({ pages }) =>
        pages.filter(({ result }) => result.previous_transaction_id.lt === "0" || endsWithFirst(result)),
      );
      if (ends.length === 0) throw new NotApplicable("no known account has a history as short as that");
      return ends.flatMap(({ result: { previous_transaction_id: cursor }, exchange }) =>
        unless(isSame(cursor, end), exchange, "lt 0 with 32 zero bytes, as nothing is before", nameOf(cursor)),
      );
    },
  },
  {
    id: "live/hash-forms",
    says: "a hash in hexadecimal and in either base64 alphabet means the same",
    law: "D-37",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const { address, history } = await richestAccount(context, 1);
      const [first] = history;
      if (first === undefined) return [];
      const { lt, hash } = first.transaction_id;
      const bytes = Buffer.from(hash, "base64");
      const breaches: Breach[] = [];
      for (const form of [
        bytes.toString("hex"),
        bytes.toString("hex").toUpperCase(),
        hash.replaceAll("+", "-").replaceAll("/", "_"),
      ]) {
        const { result, exchange } = await pageFrom(context, address, { lt, hash: form }, 1);
        const got = result.transactions[0]?.transaction_id;
        breaches.push(
          ...unless(
            got !== undefined && isSame(got, { lt, hash }),
            exchange,
            nameOf({ lt, hash }),
            got ? nameOf(got) : "no transaction",
          ),
        );
      }
      return breaches;
    },
  },
];

/** Gathers transactions over pages, because a page may be shorter than its limit. */
async function taken(
  context: Context,
  address: string,
  start: TransactionId,
  count: number,
  limits: readonly number[],
): Promise<{ transactions: Transaction[]; exchange: Awaited<ReturnType<typeof pageFrom>>["exchange"] }> {
  let page = await pageFrom(context, address, start, limits[0]);
  const transactions = [...page.result.transactions];
  for (const limit of limits.slice(1)) {
    const next = page.result.previous_transaction_id;
    if (transactions.length >= count || next.lt === "0") break;
    page = await pageFrom(context, address, next, limit);
    transactions.push(...page.result.transactions);
  }
  return { transactions: transactions.slice(0, count), exchange: page.exchange };
}
