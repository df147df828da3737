import { isObject } from "../../../src/json.ts";
import type { Reply } from "../conforming.ts";
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
  {
    mistake: "answers a constant @extra",
    caughtBy: "extra/getMasterchainInfo/query",
    operation: "getMasterchainInfo",
    make: changeReply((reply) => withExtra(reply, () => "1767325600:0:0.004")),
  },
  {
    mistake: "answers without the @extra of the request",
    caughtBy: "extra/lookupBlock/body",
    operation: "lookupBlock",
    make: changeReply((reply) => withExtra(reply, () => undefined)),
  },
  {
    mistake: "cuts the @extra of the request at a quotation mark",
    caughtBy: "extra/getConsensusBlock/query",
    operation: "getConsensusBlock",
    make: changeReply((reply) => withExtra(reply, (extra) => extra.split('"')[0])),
  },
  {
    mistake: "answers a refused request with the @extra of another",
    caughtBy: "extra/getOutMsgQueueSize/body",
    operation: "getOutMsgQueueSize",
    make: changeReply((reply) => ({
      ...reply,
      status: 422,
      body: { ok: false, error: "unknown member", code: 422, "@extra": "1767325600:0:0.004" },
    })),
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

function withExtra(reply: Reply, change: (extra: string) => string | undefined): Reply {
  if (!isObject(reply.body)) return reply;
  return { ...reply, body: { ...reply.body, "@extra": change(String(reply.body["@extra"])) } };
}
