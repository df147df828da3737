/** Checks of the head, of finding blocks, of the consensus block and of the message queues. */
import type { ResultOf } from "@chain-query/types";
import { addressOf, edgesOf, prefixOf, shardOf } from "../../address.ts";
import { responseOf } from "../../service/exchange.ts";
import { type Check, type Context, NotApplicable, RequestFailed } from "../check.ts";
import { accountsOf, transactionsOf } from "./account-sample.ts";
import { blockAndHash, blockName, type Fetched, fetchResult, isSameBlock, masterchain, startHead, tryFetch } from "./fetch.ts";

const farAhead = 1_000_000;
const latestTime = 2 ** 32 - 1;
const latestLt = String(2n ** 63n - 1n);

export const blockChecks: readonly Check[] = [
  {
    id: "live/head-is-masterchain",
    description: "the head is a block of the masterchain, and init is the zero state",
    rule: "D-22",
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
    description: "a later head is not lower",
    rule: "#/components/schemas/blocks.masterchainInfo",
    operations: ["getMasterchainInfo"],
    run: async (context) => {
      let highest = (await startHead(context)).result.last.seqno;
      for (let round = 0; round < 3; round++) {
        const { result, exchange } = await fetchResult(context, "getMasterchainInfo");
        const { seqno } = result.last;
        context.expect(seqno >= highest, exchange, `last.seqno ${highest} or more`, String(seqno));
        highest = Math.max(highest, seqno);
      }
    },
  },
  {
    id: "live/block-by-seqno",
    description: "the block with the seqno of the head is the head, and any other has the requested seqno",
    rule: "D-12",
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
    description: "a lookup past the head is a 404, never another block",
    rule: "D-12",
    operations: ["lookupBlock"],
    run: async (context) => {
      const { last } = (await startHead(context)).result;
      for (const selector of [{ seqno: last.seqno + farAhead }, { lt: latestLt }, { unixtime: latestTime }]) {
        const { exchange } = await tryFetch(context, "lookupBlock", { ...masterchain, ...selector });
        context.expect(responseOf(exchange)?.status === 404, exchange, "404");
      }
    },
  },
  {
    id: "live/consensus-not-past-head",
    description: "the consensus block is not past the head",
    rule: "D-20",
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
    description: "the consensus block never goes back",
    rule: "D-20",
    operations: ["getConsensusBlock"],
    run: async (context) => {
      let highest = 0;
      for (let round = 0; round < 4; round++) {
        const { result, exchange } = await fetchResult(context, "getConsensusBlock");
        const seqno = result.consensus_block;
        context.expect(seqno >= highest, exchange, `${highest} or more`, String(seqno));
        highest = Math.max(highest, seqno);
      }
    },
  },
  {
    id: "live/queues-masterchain-first",
    description: "the queue of the masterchain comes first",
    rule: "D-42",
    operations: ["getOutMsgQueueSize"],
    run: async (context) => {
      const { result, exchange } = await fetchQueues(context);
      const first = result.shards[0]?.id;
      const isFirst = first?.workchain === masterchain.workchain && first.shard === masterchain.shard;
      context.expect(isFirst, exchange, "the masterchain first", first === undefined ? "no shard" : blockName(first));
    },
  },
  {
    id: "live/queues-of-every-shard",
    description: "the shards of a workchain contain each account exactly once",
    rule: "D-42",
    operations: ["getOutMsgQueueSize"],
    run: async (context) => {
      const { result, exchange } = await fetchQueues(context);
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
    description: "lookupBlock finds the block of each queue by its seqno",
    rule: "#/components/schemas/blocks.outMsgQueueSize/properties/id",
    operations: ["getOutMsgQueueSize"],
    run: async (context) => {
      const { shards } = (await fetchQueues(context)).result;
      if (shards.length === 0) throw new NotApplicable("the service names no shard");
      for (const { id } of shards.slice(0, 4)) {
        const { workchain, shard, seqno } = id;
        const { result, exchange } = await fetchResult(context, "lookupBlock", { workchain, shard, seqno });
        context.expect(isSameBlock(result, id), exchange, blockAndHash(id), blockAndHash(result));
      }
    },
  },
  {
    id: "live/block-by-prefix",
    description: "a lookup by the prefix of an account finds the block of the shard that contains it",
    rule: "D-12",
    operations: ["lookupBlock"],
    run: async (context) => {
      const { shards } = (await fetchQueues(context)).result;
      const ids = shards.map(({ id }) => id).filter(({ workchain }) => workchain !== masterchain.workchain);
      if (ids.length === 0) throw new NotApplicable("the service names no shard but the masterchain");
      const wholeWorkchain = masterchain.shard;
      const ofWhole = ids.filter(({ shard }) => addressOf(wholeWorkchain).startsWith(prefixOf(shard)));
      const prefixes = ids.slice(0, 4).flatMap((id) => edgesOf(id.shard).map((shard) => ({ id, shard })));
      for (const { id, shard } of [...prefixes, ...ofWhole.map((id) => ({ id, shard: wholeWorkchain }))]) {
        const { workchain, seqno } = id;
        const { result, exchange } = await tryFetch(context, "lookupBlock", { workchain, shard, seqno });
        const isSame = result !== undefined && isSameBlock(result, id);
        context.expect(isSame, exchange, blockAndHash(id), result && blockAndHash(result));
      }
    },
  },
  {
    id: "live/block-by-time",
    description: "a lookup by time finds the first block at or after it",
    rule: "D-12",
    operations: ["lookupBlock"],
    run: async (context) => {
      const [{ state }] = await accountsOf(context);
      const { block_id, sync_utime } = state;
      for (const seqno of new Set([block_id.seqno, Math.max(2, block_id.seqno - 20)])) {
        const time = seqno === block_id.seqno ? sync_utime : await timeOf(context, seqno);
        for (const unixtime of [time, time - 1]) {
          const { result, exchange } = await fetchResult(context, "lookupBlock", { ...masterchain, unixtime });
          // The block itself is at or after both times, so the first such block is that block or one before it.
          const isFirst =
            result.seqno <= seqno &&
            (await timeOf(context, result.seqno)) >= unixtime &&
            (result.seqno <= 1 || (await timeOf(context, result.seqno - 1)) < unixtime);
          const expected = `the first block at or after ${unixtime}; block ${seqno} is of ${time}`;
          context.expect(isFirst, exchange, expected, blockName(result));
        }
      }
    },
  },
  {
    id: "live/block-by-lt",
    description: "a lookup by the logical time of a transaction finds its block, in a shard that contains the account",
    rule: "D-12",
    operations: ["lookupBlock"],
    run: async (context) => {
      const known = await transactionsOf(context);
      for (const one of [known[0], known[Math.floor(known.length / 2)], known.at(-1)]) {
        if (one === undefined) continue;
        const { utime, transaction_id } = one.transaction;
        const workchain = Number(one.account.address.split(":")[0]);
        const shard = workchain === -1 ? masterchain.shard : shardOf(one.account.address);
        const lookUp = (selector: object): ReturnType<typeof tryFetch<"lookupBlock">> =>
          tryFetch(context, "lookupBlock", { workchain, shard, ...selector });
        const { result: block, exchange } = await lookUp({ lt: transaction_id.lt });
        const expected = `the block of transaction ${transaction_id.lt}, which is of ${utime}`;
        if (block === undefined) {
          context.expect(false, exchange, expected);
          continue;
        }
        // The block has the time of its transactions: not before the first block of that second, and before
        // the first block of the next.
        const { result: first } = await lookUp({ unixtime: utime });
        const { result: next } = await lookUp({ unixtime: utime + 1 });
        const isOfTime = first !== undefined && block.seqno >= first.seqno && (next === undefined || block.seqno < next.seqno);
        const containsAccount = block.workchain === workchain && prefixOf(shard).startsWith(prefixOf(block.shard));
        const firsts = `at ${utime}: ${first?.seqno ?? "none"}, at ${utime + 1}: ${next?.seqno ?? "none"}`;
        const got = `${blockName(block)}, while the first blocks are ${firsts}`;
        context.expect(isOfTime && containsAccount, exchange, expected, got);
        const again = await lookUp({ shard: block.shard, seqno: block.seqno });
        const isSame = again.result !== undefined && isSameBlock(again.result, block);
        context.expect(isSame, again.exchange, blockAndHash(block), again.result?.root_hash ?? "nothing");
      }
    },
  },
  {
    id: "live/block-by-lt-in-gap",
    description: "a lookup by a logical time between two blocks finds the later one",
    rule: "D-12",
    operations: ["lookupBlock"],
    run: async (context) => {
      const known = await transactionsOf(context);
      for (const one of [known[0], known.at(-1)]) {
        if (one === undefined) continue;
        const workchain = Number(one.account.address.split(":")[0]);
        const shard = workchain === -1 ? masterchain.shard : shardOf(one.account.address);
        const { lt } = one.transaction.transaction_id;
        const { result: block } = await fetchResult(context, "lookupBlock", { workchain, shard, lt });
        // A block begins at a multiple of this, so no block ends right before it: the lt is in a gap, or in the same long block.
        const before = BigInt(lt) - (BigInt(lt) % ltAlignment) - 1n;
        if (before < 0n) continue;
        const { result, exchange } = await tryFetch(context, "lookupBlock", { workchain, shard, lt: String(before) });
        const isSame = result !== undefined && isSameBlock(result, block);
        const expected = `${blockName(block)}, which contains ${lt} and is the first that ends at or after ${before}`;
        context.expect(isSame, exchange, expected, result === undefined ? undefined : blockName(result));
      }
    },
  },
];

/** The queues. Not applicable if the service does not know the size of one. */
async function fetchQueues(context: Context): Promise<Fetched<ResultOf<"getOutMsgQueueSize">>> {
  const { result, exchange } = await tryFetch(context, "getOutMsgQueueSize");
  if (result !== undefined) return { result, exchange };
  if (responseOf(exchange)?.status === 542) throw new NotApplicable("the service does not know the size of each queue");
  throw new RequestFailed(exchange, "200 with a result, or 542");
}

/** The time of a masterchain block: sync_utime of any account as of that block. */
async function timeOf(context: Context, seqno: number): Promise<number> {
  const [{ address }] = await accountsOf(context);
  const { result } = await fetchResult(context, "getAddressInformation", { address, seqno: String(seqno) });
  if (result.block_id.seqno !== seqno) throw new NotApplicable("accounts cannot be read as of an earlier block");
  return result.sync_utime;
}

/** Every block of the network begins at a multiple of this logical time, and uses a small part of the range. */
const ltAlignment = 1_000_000n;
