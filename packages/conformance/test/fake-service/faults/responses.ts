/** Services with wrong envelopes, and services that accept invalid requests. */
import { isObject } from "../../../src/json.ts";
import { last, masterShard } from "../chain.ts";
import { conformingService, type Reply } from "../conforming.ts";
import { acceptInvalid, changeReply, type Fault, idIn, std, wrongResult, wrongTransaction } from "./fault.ts";

export const envelopeFaults: readonly Fault[] = [
  {
    mistake: "answers failures with status 200",
    caughtBy: "responses/status",
    operation: "lookupBlock",
    make: changeReply((reply) => ({ ...reply, status: 200 })),
  },
  {
    mistake: "answers a code that differs from the HTTP status",
    caughtBy: "responses/code",
    operation: "lookupBlock",
    make: changeReply((reply) =>
      isObject(reply.body) && reply.body["ok"] === false ? { ...reply, body: { ...reply.body, code: 400 } } : reply,
    ),
  },
  {
    mistake: "answers JSON as text",
    caughtBy: "responses/content-type",
    operation: "getMasterchainInfo",
    make: changeReply((reply) => ({ ...reply, contentType: "text/plain" })),
  },
  {
    mistake: "answers failures as HTML pages",
    caughtBy: "responses/json",
    operation: "lookupBlock",
    make: changeReply((reply) =>
      reply.status === 200 ? reply : { ...reply, contentType: "text/html", body: `<html>${reply.status}</html>` },
    ),
  },
  {
    mistake: "adds a result to failures",
    caughtBy: "responses/no-result-in-failure",
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
    mistake: "answers a rejected request with the @extra of another",
    caughtBy: "extra/getOutMsgQueueSize/body",
    operation: "getOutMsgQueueSize",
    make: changeReply((reply) => ({
      ...reply,
      status: 422,
      body: { ok: false, error: "unknown member", code: 422, "@extra": "1767325600:0:0.004" },
    })),
  },
  wrongTransaction("responses/type", "leaves out the type of transactions' identifiers", (one) => ({
    ...one,
    transaction_id: { lt: idIn(one, "transaction_id")["lt"], hash: idIn(one, "transaction_id")["hash"] },
  })),
  wrongResult("getMasterchainInfo", "responses/hash", "answers a hash of 31 bytes", (result) => ({
    ...result,
    state_root_hash: Buffer.alloc(31).toString("base64"),
  })),
  wrongResult(
    "getOutMsgQueueSize",
    "responses/schema",
    "leaves out a member",
    ({ ext_msg_queue_size_limit: _, ...result }) => result,
  ),
  wrongResult(std, "responses/logical-time", "answers logical times as numbers", (result) => ({
    ...result,
    previous_transaction_id: { ...idIn(result, "previous_transaction_id"), lt: 0 },
  })),
];

function withExtra(reply: Reply, change: (extra: string) => string | undefined): Reply {
  if (!isObject(reply.body)) return reply;
  return { ...reply, body: { ...reply.body, "@extra": change(String(reply.body["@extra"])) } };
}

export const invalidRequestFaults: readonly Fault[] = [
  {
    mistake: "fails with 500 on an invalid request",
    caughtBy: "negative/getTransactionsStd/limit-1001",
    operation: std,
    make: changeReply((reply) =>
      reply.status === 422 ? { ...reply, status: 500, body: { ok: false, error: "internal error", code: 500 } } : reply,
    ),
  },
  {
    mistake: "accepts two selectors and uses the first",
    caughtBy: "negative/lookupBlock/seqno-and-lt",
    operation: "lookupBlock",
    make: acceptInvalid(
      (_, { seqno, lt }) => seqno !== undefined && lt !== undefined,
      ({ lt: _, unixtime: __, ...input }) => input,
    ),
  },
  {
    mistake: "finds the head without a selector",
    caughtBy: "negative/lookupBlock/no-selector",
    operation: "lookupBlock",
    make: acceptInvalid(
      (_, { seqno, lt, unixtime, workchain, shard }) =>
        [seqno, lt, unixtime].every((one) => one === undefined) && workchain !== undefined && shard !== undefined,
      (input) => ({ ...input, workchain: -1, shard: masterShard, seqno: last.seqno }),
    ),
  },
  {
    mistake: "overlooks unknown members",
    caughtBy: "negative/getAddressInformation/unknown-member",
    operation: "getAddressInformation",
    make: acceptInvalid((problem) => problem.includes("not a member")),
  },
  {
    mistake: "overlooks the checksum of an address",
    caughtBy: "negative/getAddressInformation/address-wrong-checksum",
    operation: "getAddressInformation",
    make: acceptInvalid((problem) => problem.includes("checksum")),
  },
  {
    mistake: "accepts a to_lt of 2^63",
    caughtBy: "negative/getTransactionsStd/to_lt-2-to-the-63",
    operation: std,
    make: acceptInvalid((problem) => problem.includes("out of range")),
  },
  {
    mistake: "accepts lt without hash",
    caughtBy: "negative/getTransactionsStd/lt-without-hash",
    operation: std,
    make: acceptInvalid(
      (problem) => problem.includes("used together"),
      ({ lt: _, hash: __, ...input }) => input,
    ),
  },
  {
    mistake: "accepts an empty body as an empty object",
    caughtBy: "negative/getConsensusBlock/empty-body",
    operation: "getConsensusBlock",
    make: changeReply((reply, operation) =>
      operation === "getConsensusBlock" && reply.status === 422
        ? { ...reply, status: 200, body: { ok: true, result: conformingService().handlers[operation]?.({}) } }
        : reply,
    ),
  },
  {
    mistake: "never answers a body that is too large",
    caughtBy: "negative/lookupBlock/two-megabytes",
    operation: "lookupBlock",
    options: { timeout: 100 },
    make: changeReply(async (reply, operation) => {
      if (reply.status === 413 && operation === "lookupBlock") await new Promise(() => {});
      return reply;
    }),
  },
  {
    mistake: "fails with 500 on a to_lt that is not a number",
    caughtBy: "fuzz/getTransactionsStd/broken",
    operation: std,
    make: () => {
      const right = conformingService();
      return {
        ...right,
        problemIn: (call) => {
          const { to_lt } = call.input;
          return call.operation === std && BigInt(String(to_lt ?? 0)) < 0n ? "to_lt: less than 0" : right.problemIn(call);
        },
      };
    },
  },
  {
    mistake: "rejects workchains that do not exist as invalid",
    caughtBy: "fuzz/lookupBlock/valid",
    operation: "lookupBlock",
    make: () => {
      const right = conformingService();
      return {
        ...right,
        problemIn: (call) => {
          const { workchain } = call.input;
          return call.operation === "lookupBlock" && Math.abs(Number(workchain)) > 1
            ? "no such workchain"
            : right.problemIn(call);
        },
      };
    },
  },
];
