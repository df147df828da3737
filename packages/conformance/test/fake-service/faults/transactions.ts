import { isObject } from "../../../src/json.ts";
import { rawOf, transactions } from "../chain.ts";
import { conformingService, Refused } from "../conforming.ts";
import { attempt, changeResult, changeTransactions, type Fault, type Input, type Result, reversed, std } from "./fault.ts";

export const transactionFaults: readonly Fault[] = [
  {
    mistake: "adds forwarded fees to fee",
    caughtBy: "answers/fee",
    operation: std,
    make: changeTransactions((one) => ({ ...one, fee: String(BigInt(String(one["fee"])) + 1n) })),
  },
  {
    mistake: "counts outgoing messages from lt",
    caughtBy: "answers/created-lt",
    operation: std,
    make: changeTransactions((one) => ({
      ...one,
      out_msgs: (Array.isArray(one["out_msgs"]) ? one["out_msgs"] : []).map((message: Result) => ({
        ...message,
        created_lt: String(BigInt(String(message["created_lt"])) - 1n),
      })),
    })),
  },
  {
    mistake: "answers the cells of another transaction",
    caughtBy: "live/transaction-root-hash",
    operation: std,
    make: changeTransactions((one) => ({ ...one, data: transactions[one["data"] === transactions[0]?.data ? 1 : 0]?.data })),
  },
  {
    mistake: "answers truncated cells",
    caughtBy: "live/transaction-root-hash",
    operation: std,
    make: changeTransactions((one) => ({ ...one, data: String(one["data"]).slice(0, -8) })),
  },
  {
    mistake: "answers the time of indexing as utime",
    caughtBy: "live/transaction-cell",
    operation: std,
    make: changeTransactions((one) => ({ ...one, utime: Number(one["utime"]) + 1 })),
  },
  {
    mistake: "answers another body_hash than that of the body's cell",
    caughtBy: "live/body-root-hash",
    operation: std,
    make: changeTransactions((one) =>
      isObject(one["in_msg"]) ? { ...one, in_msg: { ...one["in_msg"], body_hash: reversed(one["in_msg"]["body_hash"]) } } : one,
    ),
  },
  {
    mistake: "locates the newest transaction of the sender",
    caughtBy: "live/located-source",
    operation: "tryLocateSourceTx",
    make: changeResult("tryLocateSourceTx", (_, { source }) =>
      transactions.find(({ account }) => account === rawOf(String(source))),
    ),
  },
  {
    mistake: "locates the newest transaction of the recipient",
    caughtBy: "live/located-result",
    operation: "tryLocateResultTx",
    make: changeResult("tryLocateResultTx", (_, { destination }) =>
      transactions.find(({ account }) => account === rawOf(String(destination))),
    ),
  },
  {
    mistake: "does not find transactions that sent two messages",
    caughtBy: "live/located-source",
    operation: "tryLocateSourceTx",
    make: changeResult("tryLocateSourceTx", (result) => {
      if (Array.isArray(result["out_msgs"]) && result["out_msgs"].length > 1)
        throw new Refused(404, "transaction was not found");
      return result;
    }),
  },
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
