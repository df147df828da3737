/** Services with wrong envelopes, and services that accept invalid requests. */
import { isObject } from "../../../src/json.ts";
import { last, masterShard } from "../chain.ts";
import { conformingService, type Reply } from "../conforming.ts";
import {
  acceptsInvalid,
  type Fault,
  idIn,
  lookup,
  queues,
  std,
  wrongProblem,
  wrongReply,
  wrongResult,
  wrongTransaction,
} from "./fault.ts";

export const envelopeFaults: readonly Fault[] = [
  wrongReply(lookup, "responses/status", "answers failures with status 200", (reply) => ({ ...reply, status: 200 })),
  wrongReply(lookup, "responses/code", "answers a code that differs from the HTTP status", (reply) =>
    isObject(reply.body) && reply.body["ok"] === false ? { ...reply, body: { ...reply.body, code: 400 } } : reply,
  ),
  wrongReply("getMasterchainInfo", "responses/content-type", "answers JSON as text", (reply) => ({
    ...reply,
    contentType: "text/plain",
  })),
  wrongReply(lookup, "responses/json", "answers failures as HTML pages", (reply) =>
    reply.status === 200 ? reply : { ...reply, contentType: "text/html", body: `<html>${reply.status}</html>` },
  ),
  wrongReply(lookup, "responses/no-result-in-failure", "adds a result to failures", (reply) =>
    reply.status === 200 || !isObject(reply.body) ? reply : { ...reply, body: { ...reply.body, result: "" } },
  ),
  wrongReply("getMasterchainInfo", "extra/getMasterchainInfo/query", "answers a constant @extra", (reply) =>
    withExtra(reply, () => "1767325600:0:0.004"),
  ),
  wrongReply(lookup, "extra/lookupBlock/body", "answers without the @extra of the request", (reply) =>
    withExtra(reply, () => undefined),
  ),
  wrongReply(
    "getConsensusBlock",
    "extra/getConsensusBlock/query",
    "cuts the @extra of the request at a quotation mark",
    (reply) => withExtra(reply, (extra) => extra.split('"')[0]),
  ),
  wrongReply(queues, "extra/getOutMsgQueueSize/body", "answers a rejected request with the @extra of another", (reply) => ({
    ...reply,
    status: 422,
    body: { ok: false, error: "unknown member", code: 422, "@extra": "1767325600:0:0.004" },
  })),
  wrongTransaction("responses/type", "leaves out the type of transactions' identifiers", (one) => ({
    transaction_id: { lt: idIn(one, "transaction_id")["lt"], hash: idIn(one, "transaction_id")["hash"] },
  })),
  wrongResult("getMasterchainInfo", "responses/hash", "answers a hash of 31 bytes", () => ({
    state_root_hash: Buffer.alloc(31).toString("base64"),
  })),
  wrongResult(queues, "responses/schema", "leaves out a member", () => ({ ext_msg_queue_size_limit: undefined })),
  wrongResult(std, "responses/logical-time", "answers logical times as numbers", (result) => ({
    previous_transaction_id: { ...idIn(result, "previous_transaction_id"), lt: 0 },
  })),
];

function withExtra(reply: Reply, change: (extra: string) => string | undefined): Reply {
  if (!isObject(reply.body)) return reply;
  return { ...reply, body: { ...reply.body, "@extra": change(String(reply.body["@extra"])) } };
}

export const invalidRequestFaults: readonly Fault[] = [
  wrongReply(std, "negative/getTransactionsStd/limit-1001", "fails with 500 on an invalid request", (reply) =>
    reply.status === 422 ? { ...reply, status: 500, body: { ok: false, error: "internal error", code: 500 } } : reply,
  ),
  acceptsInvalid(
    "negative/lookupBlock/seqno-and-lt",
    "accepts two selectors and uses the first",
    (_, { seqno, lt }) => seqno !== undefined && lt !== undefined,
    ({ lt: _, unixtime: __, ...input }) => input,
  ),
  acceptsInvalid(
    "negative/lookupBlock/no-selector",
    "finds the head without a selector",
    (_, { seqno, lt, unixtime, workchain, shard }) =>
      [seqno, lt, unixtime].every((one) => one === undefined) && workchain !== undefined && shard !== undefined,
    (input) => ({ ...input, workchain: -1, shard: masterShard, seqno: last.seqno }),
  ),
  acceptsInvalid("negative/getAddressInformation/unknown-member", "overlooks unknown members", (problem) =>
    problem.includes("not a member"),
  ),
  acceptsInvalid("negative/getAddressInformation/address-wrong-checksum", "overlooks the checksum of an address", (problem) =>
    problem.includes("checksum"),
  ),
  acceptsInvalid("negative/getTransactionsStd/to_lt-2-to-the-63", "accepts a to_lt of 2^63", (problem) =>
    problem.includes("out of range"),
  ),
  acceptsInvalid(
    "negative/getTransactionsStd/lt-without-hash",
    "accepts lt without hash",
    (problem) => problem.includes("used together"),
    ({ lt: _, hash: __, ...input }) => input,
  ),
  wrongReply(
    "getConsensusBlock",
    "negative/getConsensusBlock/empty-body",
    "accepts an empty body as an empty object",
    (reply) =>
      reply.status === 422
        ? { ...reply, status: 200, body: { ok: true, result: conformingService().handlers["getConsensusBlock"]?.({}) } }
        : reply,
  ),
  wrongReply(
    lookup,
    "negative/lookupBlock/two-megabytes",
    "never answers a body that is too large",
    async (reply) => {
      if (reply.status === 413) await new Promise(() => {});
      return reply;
    },
    { timeout: 100 },
  ),
  wrongProblem("fuzz/getTransactionsStd/broken", "fails with 500 on a to_lt that is not a number", ({ input }, problem) =>
    BigInt(String(input["to_lt"] ?? 0)) < 0n ? "to_lt: less than 0" : problem,
  ),
  wrongProblem("fuzz/lookupBlock/valid", "rejects workchains that do not exist as invalid", ({ input }, problem) =>
    Math.abs(Number(input["workchain"])) > 1 ? "no such workchain" : problem,
  ),
];
