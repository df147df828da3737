import { last, shards, stepAt, timeOf } from "../chain.ts";
import { conformingService, lookupBlock, Refused } from "../conforming.ts";
import { attempt, blockOf, changeResult, type Fault, type Input, idIn, queuesIn, reversed } from "./fault.ts";

/** Whether no block contains the lt: in the fake chain every block begins at a multiple of a million. */
function isInGap({ lt }: Input): boolean {
  return lt !== undefined && BigInt(String(lt)) % 1_000_000n === 999_999n;
}

export const blockFaults: readonly Fault[] = [
  {
    mistake: "finds the block after the one with the seqno",
    caughtBy: "live/block-by-seqno",
    operation: "lookupBlock",
    make: changeResult("lookupBlock", (result, { seqno }) =>
      seqno === undefined ? result : blockOf(0, Math.min(last.seqno, Number(seqno) + 1)),
    ),
  },
  {
    mistake: "finds a block by lt that does not contain it",
    caughtBy: "live/block-by-lt",
    operation: "lookupBlock",
    make: changeResult("lookupBlock", (result, input) =>
      input["lt"] === undefined
        ? result
        : lookupBlock({ ...input, lt: undefined, seqno: Math.max(100, Number(result["seqno"]) - 1) }),
    ),
  },
  {
    mistake: "finds the earlier block by an lt between two blocks",
    caughtBy: "live/block-by-lt-in-gap",
    operation: "lookupBlock",
    make: changeResult("lookupBlock", (result, input) =>
      isInGap(input) ? lookupBlock({ ...input, lt: undefined, seqno: Number(result["seqno"]) - 1 }) : result,
    ),
  },
  {
    mistake: "finds no block by an lt between two blocks",
    caughtBy: "live/block-by-lt-in-gap",
    operation: "lookupBlock",
    make: changeResult("lookupBlock", (result, input) => {
      if (isInGap(input)) throw new Refused(404, "block was not found: no block contains the lt");
      return result;
    }),
  },
  {
    mistake: "finds a block by lt in a shard that does not hold the account",
    caughtBy: "live/block-by-lt",
    operation: "lookupBlock",
    make: changeResult("lookupBlock", (result, { workchain, lt }) => {
      const shard = shards.findIndex((one) => one.workchain === 0 && one.shard !== result["shard"]);
      return lt === undefined || Number(workchain) === -1 ? result : blockOf(shard, Number(result["seqno"]) - 20);
    }),
  },
  {
    mistake: "finds the first block after a time instead of at or after it",
    caughtBy: "live/block-by-time",
    operation: "lookupBlock",
    make: changeResult("lookupBlock", (result, { workchain, unixtime }) =>
      unixtime === undefined || Number(workchain) !== -1
        ? result
        : blockOf(0, Math.min(last.seqno, stepAt(Number(unixtime) + 1))),
    ),
  },
  {
    mistake: "finds the last block before a time",
    caughtBy: "live/block-by-time",
    operation: "lookupBlock",
    make: changeResult("lookupBlock", (result, { workchain, unixtime }) =>
      unixtime === undefined || Number(workchain) !== -1 || timeOf(Number(result["seqno"])) === unixtime
        ? result
        : blockOf(0, Number(result["seqno"]) - 1),
    ),
  },
  {
    mistake: "answers the head for what is past it",
    caughtBy: "live/block-past-head",
    operation: "lookupBlock",
    make: () => {
      const right = conformingService();
      const find = (input: Input): unknown => attempt(() => lookupBlock(input)) ?? last;
      return { ...right, answer: { ...right.answer, lookupBlock: find } };
    },
  },
  {
    mistake: "answers a shard as a number",
    caughtBy: "answers/shard",
    operation: "lookupBlock",
    make: changeResult("lookupBlock", (result) => ({ ...result, shard: Number(result["shard"]) })),
  },
  {
    mistake: "lets the head go back",
    caughtBy: "live/head-never-decreases",
    operation: "getMasterchainInfo",
    make: () => {
      let turn = 0;
      return changeResult("getMasterchainInfo", (result) => ({ ...result, last: blockOf(0, last.seqno - (turn++ % 2)) }))();
    },
  },
  {
    mistake: "names the first block as init",
    caughtBy: "live/head-is-masterchain",
    operation: "getMasterchainInfo",
    make: changeResult("getMasterchainInfo", (result) => ({ ...result, init: blockOf(0, 1) })),
  },
  {
    mistake: "lets the consensus block go back",
    caughtBy: "live/consensus-never-decreases",
    operation: "getConsensusBlock",
    make: () => {
      let turn = 0;
      return changeResult("getConsensusBlock", (result) => ({ ...result, consensus_block: last.seqno - (turn++ % 3) }))();
    },
  },
  {
    mistake: "names a consensus block past the head",
    caughtBy: "live/consensus-not-past-head",
    operation: "getConsensusBlock",
    make: changeResult("getConsensusBlock", (result) => ({ ...result, consensus_block: last.seqno + 1 })),
  },
  {
    mistake: "answers the consensus time with a fraction",
    caughtBy: "answers/time",
    operation: "getConsensusBlock",
    make: changeResult("getConsensusBlock", (result) => ({ ...result, timestamp: Number(result["timestamp"]) + 0.5 })),
  },
  {
    mistake: "lists the masterchain's queue last",
    caughtBy: "live/queues-masterchain-first",
    operation: "getOutMsgQueueSize",
    make: changeResult("getOutMsgQueueSize", (result) => ({ ...result, shards: [...queuesIn(result)].reverse() })),
  },
  {
    mistake: "forgets the queue of a shard",
    caughtBy: "live/queues-of-every-shard",
    operation: "getOutMsgQueueSize",
    make: changeResult("getOutMsgQueueSize", (result) => ({ ...result, shards: queuesIn(result).slice(0, -1) })),
  },
  {
    mistake: "names other blocks in the queues than lookupBlock finds",
    caughtBy: "live/queue-blocks",
    operation: "getOutMsgQueueSize",
    make: changeResult("getOutMsgQueueSize", (result) => ({
      ...result,
      shards: queuesIn(result).map((queue) => ({
        ...queue,
        id: { ...idIn(queue, "id"), root_hash: reversed(idIn(queue, "id")["root_hash"]) },
      })),
    })),
  },
];
