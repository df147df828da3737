import { historyOf, last, rawOf } from "../chain.ts";
import { page, Refused } from "../conforming.ts";
import { byLt, changeResult, type Fault, idIn, listIn, type Result, std } from "./fault.ts";

export const listingFaults: readonly Fault[] = [
  {
    mistake: "repeats the last transaction of a page as the first of the next",
    caughtBy: "live/no-transaction-twice",
    operation: std,
    make: changeResult(std, (result) => ({
      ...result,
      previous_transaction_id: idIn(listIn(result).at(-1), "transaction_id"),
    })),
  },
  {
    mistake: "lists the first transaction twice",
    caughtBy: "answers/lt-descending",
    operation: std,
    make: changeResult(std, (result) => ({ ...result, transactions: [...listIn(result).slice(0, 1), ...listIn(result)] })),
  },
  {
    mistake: "includes the transaction at to_lt",
    caughtBy: "live/to-lt",
    operation: std,
    make: changeResult(std, (_, input) =>
      page(input["to_lt"] === undefined ? input : { ...input, to_lt: String(BigInt(String(input["to_lt"])) - 1n) }),
    ),
  },
  {
    mistake: "treats to_lt 0 as a bound that excludes everything",
    caughtBy: "live/to-lt-0",
    operation: std,
    make: changeResult(std, (result, { to_lt }) => (to_lt === "0" ? { ...result, transactions: [] } : result)),
  },
  {
    mistake: "lists the oldest first",
    caughtBy: "answers/lt-descending",
    operation: std,
    make: changeResult(std, (result) => ({
      ...result,
      transactions: listIn(result).toSorted((a, b) => Number(byLt(a) - byLt(b))),
    })),
  },
  {
    mistake: "skips a transaction between pages",
    caughtBy: "live/previous-id",
    operation: std,
    make: changeResult(std, (result, { address }) => {
      const history = historyOf(rawOf(String(address)));
      const at = history.findIndex(({ transaction_id }) => transaction_id.lt === idIn(result, "previous_transaction_id")["lt"]);
      return at < 0 ? result : { ...result, previous_transaction_id: (history[at + 1] ?? history[at])?.transaction_id };
    }),
  },
  {
    mistake: "leaves out the transaction that a page starts from",
    caughtBy: "live/page-includes-start",
    operation: std,
    make: changeResult(std, (result, { lt }) =>
      lt === undefined ? result : { ...result, transactions: listIn(result).slice(1) },
    ),
  },
  {
    mistake: "ignores limit",
    caughtBy: "live/limit",
    operation: std,
    make: changeResult(std, (_, input) => page({ ...input, limit: 10 })),
  },
  {
    mistake: "ends the history with a hash other than zero",
    caughtBy: "answers/end-of-listing",
    operation: std,
    make: changeResult(std, (result) => {
      const cursor = idIn(result, "previous_transaction_id");
      return cursor["lt"] === "0" ? { ...result, previous_transaction_id: { ...cursor, hash: last.root_hash } } : result;
    }),
  },
  {
    mistake: "skips a transaction in pages of three",
    caughtBy: "live/pages-join",
    operation: std,
    make: changeResult(std, (result, { limit }) =>
      Number(limit) === 3 ? { ...result, transactions: listIn(result).toSpliced(1, 1) } : result,
    ),
  },
  {
    mistake: "begins a listing without a start at the second transaction",
    caughtBy: "live/history-begins-at-last",
    operation: std,
    make: changeResult(std, (result, input) =>
      input["lt"] === undefined
        ? { ...result, transactions: listIn(page({ ...input, limit: 10 }) as Result).slice(1, 2) }
        : result,
    ),
  },
  {
    mistake: "accepts hexadecimal hashes in lower case only",
    caughtBy: "live/hash-forms",
    operation: std,
    make: changeResult(std, (result, { hash }) => {
      if (typeof hash === "string" && /^[0-9A-F]{64}$/.test(hash)) throw new Refused(500, "no such transaction");
      return result;
    }),
  },
];
