import { isObject } from "../../../src/json.ts";
import { changeReply, type Fault, idIn, std, wrongResult, wrongTransaction } from "./fault.ts";

export const envelopeFaults: readonly Fault[] = [
  {
    mistake: "answers failures with status 200",
    caughtBy: "answers/status",
    operation: "lookupBlock",
    make: changeReply((reply) => ({ ...reply, status: 200 })),
  },
  {
    mistake: "answers a code that differs from the HTTP status",
    caughtBy: "answers/code",
    operation: "lookupBlock",
    make: changeReply((reply) =>
      isObject(reply.body) && reply.body["ok"] === false ? { ...reply, body: { ...reply.body, code: 400 } } : reply,
    ),
  },
  {
    mistake: "answers JSON as text",
    caughtBy: "answers/content-type",
    operation: "getMasterchainInfo",
    make: changeReply((reply) => ({ ...reply, contentType: "text/plain" })),
  },
  {
    mistake: "answers failures as HTML pages",
    caughtBy: "answers/json",
    operation: "lookupBlock",
    make: changeReply((reply) =>
      reply.status === 200 ? reply : { ...reply, contentType: "text/html", body: `<html>${reply.status}</html>` },
    ),
  },
  {
    mistake: "adds a result to failures",
    caughtBy: "answers/no-result-in-failure",
    operation: "lookupBlock",
    make: changeReply((reply) =>
      reply.status === 200 || !isObject(reply.body) ? reply : { ...reply, body: { ...reply.body, result: "" } },
    ),
  },
  wrongTransaction("answers/type", "leaves out the type of transactions' identifiers", (one) => ({
    ...one,
    transaction_id: { lt: idIn(one, "transaction_id")["lt"], hash: idIn(one, "transaction_id")["hash"] },
  })),
  wrongResult("getMasterchainInfo", "answers/hash", "answers a hash of 31 bytes", (result) => ({
    ...result,
    state_root_hash: Buffer.alloc(31).toString("base64"),
  })),
  wrongResult(
    "getOutMsgQueueSize",
    "answers/schema",
    "leaves out a member",
    ({ ext_msg_queue_size_limit: _, ...result }) => result,
  ),
  wrongResult(std, "answers/logical-time", "answers logical times as numbers", (result) => ({
    ...result,
    previous_transaction_id: { ...idIn(result, "previous_transaction_id"), lt: 0 },
  })),
];
