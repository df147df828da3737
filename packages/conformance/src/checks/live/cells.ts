/** Checks of the bags of cells in responses. `@ton/core` reads them; it shares no code with the services of this repository. */
import { Cell } from "@ton/core";
import { type Check, NotApplicable } from "../check.ts";
import { accountsOf, transactionsOf } from "./account-sample.ts";
import type { WireTransaction } from "./fetch.ts";

export const cellChecks: readonly Check[] = [
  {
    id: "live/transaction-root-hash",
    description: "data is a bag of cells whose root hash is the transaction's hash",
    rule: "D-07",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      for (const { transaction, page } of await transactionsOf(context)) {
        const { hash, lt } = transaction.transaction_id;
        const got = rootHashOrError(transaction.data);
        context.expect(got === hash, page.exchange, `data of ${lt} with root hash ${hash}`, got);
      }
    },
  },
  {
    id: "live/transaction-cell",
    description: "account, lt, utime and the previous transaction equal those in the transaction's cell",
    rule: "D-07",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      for (const { pages, address } of await accountsOf(context)) {
        for (const { result, exchange } of pages) {
          for (const [index, transaction] of result.transactions.entries()) {
            const inCell = headerInCell(transaction);
            if (inCell === undefined) continue;
            const previous = result.transactions[index + 1]?.transaction_id ?? result.previous_transaction_id;
            const inResponse: TransactionHeader = {
              account: address.split(":")[1] ?? "",
              lt: transaction.transaction_id.lt,
              utime: String(transaction.utime),
              previousLt: previous.lt,
              previousHash: previous.hash,
            };
            for (const name of Object.keys(inResponse) as (keyof TransactionHeader)[]) {
              const expected = `${name} ${inCell[name]}, from the cell of ${inResponse.lt}`;
              context.expect(inResponse[name] === inCell[name], exchange, expected, inResponse[name]);
            }
          }
        }
      }
    },
  },
  {
    id: "live/body-root-hash",
    description: "an undecoded body is a bag of cells whose root hash is body_hash",
    rule: "D-07",
    operations: ["getTransactionsStd"],
    run: async (context) => {
      const bodies = (await transactionsOf(context)).flatMap(({ transaction, page }) =>
        [transaction.in_msg, ...transaction.out_msgs].flatMap((message) => {
          const content = message?.msg_data;
          const body = content !== undefined && "body" in content ? content.body : "";
          return message === undefined || body === "" ? [] : [{ message, body, page }];
        }),
      );
      if (bodies.length === 0) throw new NotApplicable("no known message has an undecoded body");
      for (const { message, body, page } of bodies) {
        const got = rootHashOrError(body);
        context.expect(got === message.body_hash, page.exchange, `a body with root hash ${message.body_hash}`, got);
      }
    },
  },
  {
    id: "live/account-cells",
    description: "code and data are bags of cells, or empty if absent",
    rule: "D-07",
    operations: ["getAddressInformation"],
    run: async (context) => {
      for (const { state, stateExchange } of await accountsOf(context)) {
        for (const boc of [state.code, state.data].filter((text) => text !== "")) {
          const got = rootHashOrError(boc);
          context.expect(!got.startsWith(notABag), stateExchange, "a bag of cells with one root", got);
        }
      }
    },
  },
];

const notABag = "not a bag of cells";

/** The root hash in base64, or why it cannot be computed. */
export function rootHashOrError(boc: string): string {
  try {
    return rootOf(boc).hash().toString("base64");
  } catch (error) {
    return `${notABag}: ${error instanceof Error ? error.message : error}`;
  }
}

interface TransactionHeader {
  readonly account: string;
  readonly lt: string;
  readonly utime: string;
  readonly previousLt: string;
  readonly previousHash: string;
}

/** The first fields of a transaction's cell; undefined if the cell is not a transaction. */
export function headerInCell({ data }: Pick<WireTransaction, "data">): TransactionHeader | undefined {
  try {
    const slice = rootOf(data).beginParse();
    if (slice.loadUint(4) !== 0b0111) return undefined;
    return {
      account: slice.loadBuffer(32).toString("hex").toUpperCase(),
      lt: String(slice.loadUintBig(64)),
      previousHash: slice.loadBuffer(32).toString("base64"),
      previousLt: String(slice.loadUintBig(64)),
      utime: String(slice.loadUint(32)),
    };
  } catch {
    return undefined;
  }
}

function rootOf(boc: string): Cell {
  const [root, ...more] = Cell.fromBoc(Buffer.from(boc, "base64"));
  if (root === undefined || more.length > 0) throw new RangeError(`it has ${more.length + 1} roots, expected 1`);
  return root;
}
