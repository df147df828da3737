import { historyOf, last, rawOf } from "../chain.ts";
import { page, Refused } from "../conforming.ts";
import { byLt, type Fault, idIn, listIn, type Result, std, wrongResult } from "./fault.ts";

export const listingFaults: readonly Fault[] = [
  wrongResult(
    std,
    "live/no-transaction-twice",
    "repeats the last transaction of a page as the first of the next",
    (result) => ({
      ...result,
      previous_transaction_id: idIn(listIn(result).at(-1), "transaction_id"),
    }),
  ),
  wrongResult(std, "answers/lt-descending", "lists the first transaction twice", (result) => ({
    ...result,
    transactions: [...listIn(result).slice(0, 1), ...listIn(result)],
  })),
  wrongResult(std, "live/to-lt", "includes the transaction at to_lt", (_, input) =>
    page(input["to_lt"] === undefined ? input : { ...input, to_lt: String(BigInt(String(input["to_lt"])) - 1n) }),
  ),
  wrongResult(std, "live/to-lt-0", "treats to_lt 0 as a bound that excludes everything", (result, { to_lt }) =>
    to_lt === "0" ? { ...result, transactions: [] } : result,
  ),
  wrongResult(std, "answers/lt-descending", "lists the oldest first", (result) => ({
    ...result,
    transactions: listIn(result).toSorted((a, b) => Number(byLt(a) - byLt(b))),
  })),
  wrongResult(std, "live/previous-id", "skips a transaction between pages", (result, { address }) => {
    const history = historyOf(rawOf(String(address)));
    const at = history.findIndex(({ transaction_id }) => transaction_id.lt === idIn(result, "previous_transaction_id")["lt"]);
    return at < 0 ? result : { ...result, previous_transaction_id: (history[at + 1] ?? history[at])?.transaction_id };
  }),
  wrongResult(std, "live/page-includes-start", "leaves out the transaction that a page starts from", (result, { lt }) =>
    lt === undefined ? result : { ...result, transactions: listIn(result).slice(1) },
  ),
  wrongResult(std, "live/limit", "ignores limit", (_, input) => page({ ...input, limit: 10 })),
  wrongResult(std, "answers/end-of-listing", "ends the history with a hash other than zero", (result) => {
    const cursor = idIn(result, "previous_transaction_id");
    return cursor["lt"] === "0" ? { ...result, previous_transaction_id: { ...cursor, hash: last.root_hash } } : result;
  }),
  wrongResult(std, "live/pages-join", "skips a transaction in pages of three", (result, { limit }) =>
    Number(limit) === 3 ? { ...result, transactions: listIn(result).toSpliced(1, 1) } : result,
  ),
  wrongResult(
    std,
    "live/history-begins-at-last",
    "begins a listing without a start at the second transaction",
    (result, input) =>
      input["lt"] === undefined
        ? { ...result, transactions: listIn(page({ ...input, limit: 10 }) as Result).slice(1, 2) }
        : result,
  ),
  wrongResult(std, "live/hash-forms", "accepts hexadecimal hashes in lower case only", (result, { hash }) => {
    if (typeof hash === "string" && /^[0-9A-F]{64}$/.test(hash)) throw new Refused(500, "no such transaction");
    return result;
  }),
];
