/** Checks of the head, of blocks by seqno, of the consensus and of the message queues. */
import { prefixOf } from "../../address.ts";
import { answerOf } from "../../service/exchange.ts";
import { type Check, NotApplicable } from "../check.ts";
import { blockAndHash, blockName, fetchResult, isSameBlock, masterchain, startHead, tryFetch } from "./fetch.ts";

const farAhead = 1_000_000;
const latestTime = 2 ** 32 - 1;
const latestLt = String(2n ** 63n - 1n);

export const blockChecks: readonly Check[] = [
  {
    id: "live/head-is-masterchain",
    says: "the head is a block of the masterchain, and init is the zero state",
    law: "D-22",
    operations: ["getMasterchainInfo"],
    run: async (context) => {
      const { result, exchange } = await startHead(context);
      const { last, init } = result;
      const isMaster = last.workchain === masterchain.workchain && last.shard === masterchain.shard;
      context.expect(isMaster, exchange, `last of workchain -1 and shard ${masterchain.shard}`, blockName(last));
      const isZeroState = init.workchain === -1 && init.seqno === 0 && init.shard === "0";
      context.expect(isZeroState, exchange, "init of seqno 0 and shard 0", blockName(init));
    },
  },
  {
    id: "live/head-never-decreases",
    says: "a later head is not lower",
    law: "#/components/schemas/blocks.masterchainInfo",
    operations: ["getMasterchainInfo"],
    run: async (context) => {
      let highest = (await startHead(context)).result.last.seqno;
      for (let turn = 0; turn < 3; turn++) {
        const { result, exchange } = await fetchResult(context, "getMasterchainInfo");
        const { seqno } = result.last;
        context.expect(seqno >= highest, exchange, `last.seqno ${highest} or more`, String(seqno));
        highest = Math.max(highest, seqno);
      }
    },
  },
  {
    id: "live/block-by-seqno",
    says: "the block with the seqno of the head is the head, and any other has the requested seqno",
    law: "D-12",
    operations: ["lookupBlock"],
    run: async (context) => {
      const { last } = (await startHead(context)).result;
      for (const seqno of new Set([last.seqno, Math.max(1, last.seqno - 1), Math.max(1, last.seqno - 100)])) {
        const { result, exchange } = await fetchResult(context, "lookupBlock", { ...masterchain, seqno });
        const isRight = seqno === last.seqno ? isSameBlock(result, last) : result.seqno === seqno && result.workchain === -1;
        context.expect(isRight, exchange, blockName({ ...last, seqno }), blockAndHash(result));
      }
    },
  },
  {
    id: "live/block-past-head",
    says: "a lookup past the head answers 404, never another block",
    law: "D-12",
    operations: ["lookupBlock"],
    run: async (context) => {
      const { last } = (await startHead(context)).result;
      for (const selector of [{ seqno: last.seqno + farAhead }, { lt: latestLt }, { unixtime: latestTime }]) {
        const { exchange } = await tryFetch(context, "lookupBlock", { ...masterchain, ...selector });
        context.expect(answerOf(exchange)?.status === 404, exchange, "404");
      }
    },
  },
  {
    id: "live/consensus-not-past-head",
    says: "the consensus block is not past the head",
    law: "D-20",
    operations: ["getConsensusBlock"],
    run: async (context) => {
      const { result, exchange } = await fetchResult(context, "getConsensusBlock");
      const { last } = (await fetchResult(context, "getMasterchainInfo")).result;
      const expected = `${last.seqno}, the head requested afterwards, or less`;
      context.expect(result.consensus_block <= last.seqno, exchange, expected, String(result.consensus_block));
    },
  },
  {
    id: "live/consensus-never-decreases",
    says: "the consensus block never goes back",
    law: "D-20",
    operations: ["getConsensusBlock"],
    run: async (context) => {
      let highest = 0;
      for (let turn = 0; turn < 4; turn++) {
        const { result, exchange } = await fetchResult(context, "getConsensusBlock");
        const seqno = result.consensus_block;
        context.expect(seqno >= highest, exchange, `${highest} or more`, String(seqno));
        highest = Math.max(highest, seqno);
      }
    },
  },
  {
    id: "live/queues-masterchain-first",
    says: "the queue of the masterchain comes first",
    law: "D-42",
    operations: ["getOutMsgQueueSize"],
    run: async (context) => {
      const { result, exchange } = await fetchResult(context, "getOutMsgQueueSize");
      const first = result.shards[0]?.id;
      const isFirst = first?.workchain === masterchain.workchain && first.shard === masterchain.shard;
      context.expect(isFirst, exchange, "the masterchain first", first === undefined ? "no shard" : blockName(first));
    },
  },
  {
    id: "live/queues-of-every-shard",
    says: "the shards of a workchain contain each account exactly once",
    law: "D-42",
    operations: ["getOutMsgQueueSize"],
    run: async (context) => {
      const { result, exchange } = await fetchResult(context, "getOutMsgQueueSize");
      for (const workchain of new Set(result.shards.map(({ id }) => id.workchain))) {
        const shards = result.shards.filter(({ id }) => id.workchain === workchain).map(({ id }) => id.shard);
        const prefixes = shards.map(prefixOf);
        const overlap = prefixes.some((prefix, index) =>
          prefixes.some((other, at) => at !== index && other.startsWith(prefix)),
        );
        const isWhole = prefixes.reduce((sum, prefix) => sum + 2n ** BigInt(64 - prefix.length), 0n) === 2n ** 64n;
        const expected = `shards that together contain all of workchain ${workchain} once`;
        context.expect(isWhole && !overlap, exchange, expected, shards.join(", "));
      }
    },
  },
  {
    id: "live/queue-blocks",
    says: "lookupBlock finds the block of each queue by its seqno",
    law: "#/components/schemas/blocks.outMsgQueueSize/properties/id",
    operations: ["getOutMsgQueueSize"],
    run: async (context) => {
      const { shards } = (await fetchResult(context, "getOutMsgQueueSize")).result;
      if (shards.length === 0) throw new NotApplicable("the service names no shard");
      for (const { id } of shards.slice(0, 4)) {
        const { workchain, shard, seqno } = id;
        const { result, exchange } = await fetchResult(context, "lookupBlock", { workchain, shard, seqno });
        context.expect(isSameBlock(result, id), exchange, blockAndHash(id), blockAndHash(result));
      }
    },
  },
];
