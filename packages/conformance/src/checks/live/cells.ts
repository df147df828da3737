/** Laws of what is inside the bags of cells. */
import { onlyRootOf, rootHashOf } from "../../boc/bag-of-cells.ts";
import { type Cell, CellError } from "../../boc/cell.ts";
import { type Breach, type Check, NotApplicable } from "../check.ts";
import { accountsOf, transactionsOf } from "./account-sample.ts";
import { breachOf, type Transaction, unless } from "./typed-requests.ts";

export const cellChecks: readonly Check[] = [
  {
    id: "live/transaction-root-hash",
    says: "data is a bag of cells whose root hash is the transaction's hash",
    law: "D-07",
    operations: ["getTransactionsStd"],
    run: async (context) =>
      (await transactionsOf(context)).flatMap(({ transaction, page }) => {
        const { hash, lt } = transaction.transaction_id;
        const got = attempt(() => rootHashOf(transaction.data));
        return unless(got === hash, page.exchange, `data of ${lt} with root hash ${hash}`, got);
      }),
  },
  {
    id: "live/transaction-cell",
    says: "account, lt, utime and the transaction before are what the transaction's cell says",
    law: "D-07",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const breaches: Breach[] = [];
      for (const { pages, address } of await accountsOf(context)) {
        for (const { result, exchange } of pages) {
          for (const [index, transaction] of result.transactions.entries()) {
            const said = statementsOf(transaction);
            if (said === undefined) continue;
            const after = result.transactions[index + 1]?.transaction_id ?? result.previous_transaction_id;
            const told = {
              account: address.split(":")[1] ?? "",
              lt: transaction.transaction_id.lt,
              utime: String(transaction.utime),
              previousLt: after.lt,
              previousHash: after.hash,
            };
            for (const name of Object.keys(told) as (keyof typeof told)[]) {
              if (told[name] !== said[name])
                breaches.push(breachOf(exchange, `${name} ${said[name]}, from the cell of ${told.lt}`, told[name]));
            }
          }
        }
      }
      return breaches;
    },
  },
  {
    id: "live/body-root-hash",
    says: "an undecoded body is a bag of cells whose root hash is body_hash",
    law: "D-07",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const bodies = (await transactionsOf(context)).flatMap(({ transaction, page }) =>
        [transaction.in_msg, ...transaction.out_msgs].flatMap((message) => {
          const body = message?.msg_data.body;
          return message === undefined || body === undefined || body === "" ? [] : [{ message, body, page }];
        }),
      );
      if (bodies.length === 0) throw new NotApplicable("no known message has an undecoded body");
      return bodies.flatMap(({ message, body, page }) => {
        const got = attempt(() => rootHashOf(body));
        return unless(got === message.body_hash, page.exchange, `a body with root hash ${message.body_hash}`, got);
      });
    },
  },
  {
    id: "live/account-cells",
    says: "code and data are bags of cells, and empty where there is none",
    law: "D-07",
    operations: ["getAddressInformation"],
    run: async (context) =>
      (await accountsOf(context)).flatMap(({ state, asked }) =>
        [state.code, state.data]
          .filter((boc) => boc !== "")
          .map((boc) => attempt(() => rootHashOf(boc)))
          .flatMap((got) => unless(!got.startsWith(noBag), asked, "a bag of cells with one root", got)),
      ),
  },
];

const noBag = "no bag of cells";

function attempt(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellError) return `${noBag}: ${error.message}`;
    throw error;
  }
}

interface Statements {
  readonly account: string;
  readonly lt: string;
  readonly utime: string;
  readonly previousLt: string;
  readonly previousHash: string;
}

/** What the first bits of a transaction's cell say; undefined where it is no transaction of the known form. */
export function statementsOf({ data }: Transaction): Statements | undefined {
  let root: Cell;
  try {
    root = onlyRootOf(data);
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
  const digits = Buffer.from(root.bytes).toString("hex");
  // The form begins with four bits, which are one digit; the rest lies on digits then too.
  const [tag, account, lt, previousHash, previousLt, utime] = cut(digits, [1, 64, 16, 64, 16, 8]);
  if (tag !== "7" || account === undefined || utime?.length !== 8) return undefined;
  return {
    account: account.toUpperCase(),
    lt: natural(lt),
    utime: natural(utime),
    previousLt: natural(previousLt),
    previousHash: Buffer.from(previousHash ?? "", "hex").toString("base64"),
  };
}

function cut(text: string, lengths: readonly number[]): string[] {
  return lengths.map((length, index) => {
    const start = lengths.slice(0, index).reduce((sum, one) => sum + one, 0);
    return text.slice(start, start + length);
  });
}

function natural(digits: string | undefined): string {
  return String(BigInt(`0x${digits}`));
}
