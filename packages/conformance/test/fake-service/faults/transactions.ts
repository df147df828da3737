/** Services with wrong transactions: in pages, or located by a message. */

import { isObject } from "../../../src/json.ts";
import { historyOf, last, rawOf, transactions } from "../chain.ts";
import { HttpError, page } from "../conforming.ts";
import {
  attempt,
  byLt,
  type Fault,
  idIn,
  listIn,
  type Result,
  reversed,
  std,
  wrongHandler,
  wrongResult,
  wrongTransaction,
} from "./fault.ts";

export const listingFaults: readonly Fault[] = [
  wrongResult(
    std,
    "live/no-transaction-twice",
    "repeats the last transaction of a page as the first of the next",
    (result) => ({ previous_transaction_id: idIn(listIn(result).at(-1), "transaction_id") }),
  ),
  wrongResult(std, "responses/lt-descending", "lists the first transaction twice", (result) => ({
    transactions: [...listIn(result).slice(0, 1), ...listIn(result)],
  })),
  wrongResult(std, "live/to-lt", "includes the transaction at to_lt", (_, input) =>
    page(input["to_lt"] === undefined ? input : { ...input, to_lt: String(BigInt(String(input["to_lt"])) - 1n) }),
  ),
  wrongResult(std, "live/to-lt-0", "treats to_lt 0 as a bound that excludes everything", (result, { to_lt }) =>
    to_lt === "0" ? { transactions: [] } : result,
  ),
  wrongResult(std, "responses/lt-descending", "lists the oldest first", (result) => ({
    transactions: listIn(result).toSorted((a, b) => Number(byLt(a) - byLt(b))),
  })),
  wrongResult(std, "live/previous-id", "skips a transaction between pages", (result, { address }) => {
    const history = historyOf(rawOf(String(address)));
    const at = history.findIndex(({ transaction_id }) => transaction_id.lt === idIn(result, "previous_transaction_id")["lt"]);
    return at < 0 ? result : { previous_transaction_id: (history[at + 1] ?? history[at])?.transaction_id };
  }),
  wrongResult(std, "live/page-includes-start", "leaves out the transaction that a page starts from", (result, { lt }) =>
    lt === undefined ? result : { transactions: listIn(result).slice(1) },
  ),
  wrongResult(std, "live/limit", "ignores limit", (_, input) => page({ ...input, limit: 10 })),
  wrongResult(std, "responses/end-of-listing", "ends the history with a hash other than zero", (result) => {
    const cursor = idIn(result, "previous_transaction_id");
    return cursor["lt"] === "0" ? { previous_transaction_id: { ...cursor, hash: last.root_hash } } : result;
  }),
  wrongResult(std, "live/pages-join", "skips a transaction in pages of three", (result, { limit }) =>
    Number(limit) === 3 ? { transactions: listIn(result).toSpliced(1, 1) } : result,
  ),
  wrongResult(
    std,
    "live/history-begins-at-last",
    "begins a listing without a start at the second transaction",
    (result, input) =>
      input["lt"] === undefined ? { transactions: listIn(page({ ...input, limit: 10 }) as Result).slice(1, 2) } : result,
  ),
  wrongResult(std, "live/hash-forms", "accepts hexadecimal hashes in lower case only", (result, { hash }) => {
    if (typeof hash === "string" && /^[0-9A-F]{64}$/.test(hash)) throw new HttpError(500, "no such transaction");
    return result;
  }),
];

export const transactionFaults: readonly Fault[] = [
  wrongTransaction("responses/fee", "adds forwarded fees to fee", (one) => ({ fee: String(BigInt(String(one["fee"])) + 1n) })),
  wrongTransaction("responses/created-lt", "counts outgoing messages from lt", (one) => ({
    out_msgs: (Array.isArray(one["out_msgs"]) ? one["out_msgs"] : []).map((message: Result) => ({
      ...message,
      created_lt: String(BigInt(String(message["created_lt"])) - 1n),
    })),
  })),
  wrongTransaction("live/transaction-root-hash", "answers the cells of another transaction", (one) => ({
    data: transactions[one["data"] === transactions[0]?.data ? 1 : 0]?.data,
  })),
  wrongTransaction("live/transaction-root-hash", "answers truncated cells", (one) => ({
    data: String(one["data"]).slice(0, -8),
  })),
  wrongTransaction("live/transaction-cell", "answers the time of indexing as utime", (one) => ({
    utime: Number(one["utime"]) + 1,
  })),
  wrongTransaction("live/body-root-hash", "answers another body_hash than that of the body's cell", (one) =>
    isObject(one["in_msg"]) ? { in_msg: { ...one["in_msg"], body_hash: reversed(one["in_msg"]["body_hash"]) } } : one,
  ),
  wrongResult("tryLocateSourceTx", "live/located-source", "locates the newest transaction of the sender", (_, { source }) =>
    transactions.find(({ account }) => account === rawOf(String(source))),
  ),
  wrongResult(
    "tryLocateResultTx",
    "live/located-result",
    "locates the newest transaction of the recipient",
    (_, { destination }) => transactions.find(({ account }) => account === rawOf(String(destination))),
  ),
  wrongResult("tryLocateSourceTx", "live/located-source", "does not find transactions that sent two messages", (result) => {
    if (Array.isArray(result["out_msgs"]) && result["out_msgs"].length > 1)
      throw new HttpError(404, "transaction was not found");
    return result;
  }),
  wrongHandler(
    "tryLocateResultTx",
    "live/no-such-message",
    "locates messages by source and destination alone",
    (input, right) =>
      attempt(() => right(input)) ??
      transactions.find(({ in_msg, account }) => in_msg?.source !== "" && account === rawOf(String(input["destination"]))),
  ),
  wrongHandler(
    "tryLocateSourceTx",
    "live/no-source-of-external-message",
    "locates a source of an external message",
    (input, right) => (input["source"] === "" ? transactions[0] : right(input)),
  ),
];
