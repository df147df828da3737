import { isObject } from "../../../src/json.ts";
import { rawOf, transactions } from "../chain.ts";
import { conformingService, Refused } from "../conforming.ts";
import { attempt, type Fault, type Input, type Result, reversed, wrongResult, wrongTransaction } from "./fault.ts";

export const transactionFaults: readonly Fault[] = [
  wrongTransaction("answers/fee", "adds forwarded fees to fee", (one) => ({
    ...one,
    fee: String(BigInt(String(one["fee"])) + 1n),
  })),
  wrongTransaction("answers/created-lt", "counts outgoing messages from lt", (one) => ({
    ...one,
    out_msgs: (Array.isArray(one["out_msgs"]) ? one["out_msgs"] : []).map((message: Result) => ({
      ...message,
      created_lt: String(BigInt(String(message["created_lt"])) - 1n),
    })),
  })),
  wrongTransaction("live/transaction-root-hash", "answers the cells of another transaction", (one) => ({
    ...one,
    data: transactions[one["data"] === transactions[0]?.data ? 1 : 0]?.data,
  })),
  wrongTransaction("live/transaction-root-hash", "answers truncated cells", (one) => ({
    ...one,
    data: String(one["data"]).slice(0, -8),
  })),
  wrongTransaction("live/transaction-cell", "answers the time of indexing as utime", (one) => ({
    ...one,
    utime: Number(one["utime"]) + 1,
  })),
  wrongTransaction("live/body-root-hash", "answers another body_hash than that of the body's cell", (one) =>
    isObject(one["in_msg"]) ? { ...one, in_msg: { ...one["in_msg"], body_hash: reversed(one["in_msg"]["body_hash"]) } } : one,
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
    if (Array.isArray(result["out_msgs"]) && result["out_msgs"].length > 1) throw new Refused(404, "transaction was not found");
    return result;
  }),
  {
    mistake: "locates messages by source and destination alone",
    caughtBy: "live/no-such-message",
    operation: "tryLocateResultTx",
    make: () => {
      const right = conformingService();
      const tryLocateResultTx = (input: Input): unknown =>
        attempt(() => right.answer["tryLocateResultTx"]?.(input)) ??
        transactions.find(({ in_msg, account }) => in_msg?.source !== "" && account === rawOf(String(input["destination"])));
      return { ...right, answer: { ...right.answer, tryLocateResultTx } };
    },
  },
  {
    mistake: "locates a source of an external message",
    caughtBy: "live/no-source-of-external-message",
    operation: "tryLocateSourceTx",
    make: () => {
      const right = conformingService();
      const tryLocateSourceTx = (input: Input): unknown =>
        input["source"] === "" ? transactions[0] : right.answer["tryLocateSourceTx"]?.(input);
      return { ...right, answer: { ...right.answer, tryLocateSourceTx } };
    },
  },
];
