import { last, masterShard } from "../chain.ts";
import { conformingService } from "../conforming.ts";
import { acceptInvalid, changeReply, type Fault, std } from "./fault.ts";

export const refusalFaults: readonly Fault[] = [
  {
    mistake: "fails with 500 on what it should refuse",
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
    make: acceptInvalid((refusal) => refusal.includes("not a member")),
  },
  {
    mistake: "overlooks the checksum of an address",
    caughtBy: "negative/getAddressInformation/address-wrong-checksum",
    operation: "getAddressInformation",
    make: acceptInvalid((refusal) => refusal.includes("checksum")),
  },
  {
    mistake: "accepts a to_lt of 2^63",
    caughtBy: "negative/getTransactionsStd/to_lt-2-to-the-63",
    operation: std,
    make: acceptInvalid((refusal) => refusal.includes("out of range")),
  },
  {
    mistake: "accepts lt without hash",
    caughtBy: "negative/getTransactionsStd/lt-without-hash",
    operation: std,
    make: acceptInvalid(
      (refusal) => refusal.includes("used together"),
      ({ lt: _, hash: __, ...input }) => input,
    ),
  },
  {
    mistake: "accepts an empty body as an empty object",
    caughtBy: "negative/getConsensusBlock/empty-body",
    operation: "getConsensusBlock",
    make: changeReply((reply, operation) =>
      operation === "getConsensusBlock" && reply.status === 422
        ? { ...reply, status: 200, body: { ok: true, result: conformingService().answer[operation]?.({}) } }
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
        refusalOf: (call) => {
          const { to_lt } = call.input;
          return call.operation === std && BigInt(String(to_lt ?? 0)) < 0n ? "to_lt: less than 0" : right.refusalOf(call);
        },
      };
    },
  },
  {
    mistake: "refuses workchains that do not exist as invalid",
    caughtBy: "fuzz/lookupBlock/valid",
    operation: "lookupBlock",
    make: () => {
      const right = conformingService();
      return {
        ...right,
        refusalOf: (call) => {
          const { workchain } = call.input;
          return call.operation === "lookupBlock" && Math.abs(Number(workchain)) > 1
            ? "no such workchain"
            : right.refusalOf(call);
        },
      };
    },
  },
];
