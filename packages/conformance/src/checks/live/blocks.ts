/** Laws of blocks: the head, what is looked up, the consensus and the queues. */
import { prefixOf } from "../../address.ts";
import { answerOf } from "../../service/exchange.ts";
import { type Breach, type Check, type Context, NotApplicable } from "../check.ts";
import { blockName, breachOf, found, isSameBlock, masterchain, once, tried, unless } from "./typed-requests.ts";

const farAhead = 1_000_000;
const latestTime = 2 ** 32 - 1;
const latestLt = String(2n ** 63n - 1n);

/** The head at the beginning of the run; everything up to it stays as it is. */
function headOf(context: Context): ReturnType<typeof found<"getMasterchainInfo">> {
  return once(context, "head", () => found(context, "getMasterchainInfo"));
}

export const blockChecks: readonly Check[] = [
  {
    id: "live/head-is-masterchain",
    says: "the head is a block of the masterchain, and the zero state is its beginning",
    law: "D-22",
    operations: ["getMasterchainInfo"],
    run: async (context) => {
      const { result, exchange } = await headOf(context);
      const { last, init } = result;
      return [
        ...unless(
          last.workchain === masterchain.workchain && last.shard === masterchain.shard,
          exchange,
          `last of workchain -1 and shard ${masterchain.shard}`,
          blockName(last),
        ),
        ...unless(
          init.workchain === -1 && init.seqno === 0 && init.shard === "0",
          exchange,
          "init of seqno 0 and shard 0",
          blockName(init),
        ),
      ];
    },
  },
  {
    id: "live/head-never-decreases",
    says: "a later head is not lower",
    law: "#/components/schemas/blocks.masterchainInfo",
    operations: ["getMasterchainInfo"],
    run: async (context) => {
      const breaches: Breach[] = [];
      let highest = (await headOf(context)).result.last.seqno;
      for (let turn = 0; turn < 3; turn++) {
        const { result, exchange } = await found(context, "getMasterchainInfo");
        breaches.push(
          ...unless(result.last.seqno >= highest, exchange, `last.seqno ${highest} or more`, String(result.last.seqno)),
        );
        highest = Math.max(highest, result.last.seqno);
      }
      return breaches;
    },
  },
  {
    id: "live/block-by-seqno",
    says: "the block with the seqno of the head is the head, and any other has the seqno asked for",
    law: "D-12",
    operations: ["lookupBlock"],
    run: async (context) => {
      const { last } = (await headOf(context)).result;
      const breaches: Breach[] = [];
      for (const seqno of new Set([last.seqno, Math.max(1, last.seqno - 1), Math.max(1, last.seqno - 100)])) {
        const { result, exchange } = await found(context, "lookupBlock", { ...masterchain, seqno });
        const isRight = seqno === last.seqno ? isSameBlock(result, last) : result.seqno === seqno && result.workchain === -1;
        breaches.push(
          ...unless(isRight, exchange, blockName({ ...last, seqno }), `${blockName(result)}, root_hash ${result.root_hash}`),
        );
      }
      return breaches;
    },
  },
  {
    id: "live/block-past-head",
    says: "past the head there is no block, never another one",
    law: "D-12",
    operations: ["lookupBlock"],
    run: async (context) => {
      const { last } = (await headOf(context)).result;
      const breaches: Breach[] = [];
      for (const selector of [{ seqno: last.seqno + farAhead }, { lt: latestLt }, { unixtime: latestTime }]) {
        const { exchange } = await tried(context, "lookupBlock", { ...masterchain, ...selector });
        if (answerOf(exchange)?.status !== 404) breaches.push(breachOf(exchange, "404"));
      }
      return breaches;
    },
  },
  {
    id: "live/consensus-not-past-head",
    says: "the consensus block is not past the head",
    law: "D-20",
    operations: ["getConsensusBlock"],
    run: async (context) => {
      const { result, exchange } = await found(context, "getConsensusBlock");
      const { last } = (await found(context, "getMasterchainInfo")).result;
      return unless(
        result.consensus_block <= last.seqno,
        exchange,
        `${last.seqno}, the head asked for later, or less`,
        String(result.consensus_block),
      );
    },
  },
  {
    id: "live/consensus-never-decreases",
    says: "the consensus block never goes back",
    law: "D-20",
    operations: ["getConsensusBlock"],
    run: async (context) => {
      const breaches: Breach[] = [];
      let highest = 0;
      for (let turn = 0; turn < 4; turn++) {
        const { result, exchange } = await found(context, "getConsensusBlock");
        breaches.push(
          ...unless(result.consensus_block >= highest, exchange, `${highest} or more`, String(result.consensus_block)),
        );
        highest = Math.max(highest, result.consensus_block);
      }
      return breaches;
    },
  },
  {
    id: "live/queues-masterchain-first",
    says: "the queue of the masterchain comes first",
    law: "D-42",
    operations: ["getOutMsgQueueSize"],
    run: async (context) => {
      const { result, exchange } = await found(context, "getOutMsgQueueSize");
      const first = result.shards[0]?.id;
      const isFirst = first?.workchain === masterchain.workchain && first.shard === masterchain.shard;
      return unless(isFirst, exchange, "the masterchain first", first === undefined ? "no shard" : blockName(first));
    },
  },
  {
    id: "live/queues-of-every-shard",
    says: "the shards of a workchain hold each account once",
    law: "D-42",
    operations: ["getOutMsgQueueSize"],
    run: async (context) => {
      const { result, exchange } = await found(context, "getOutMsgQueueSize");
      const workchains = new Set(result.shards.map(({ id }) => id.workchain));
      return [...workchains].flatMap((workchain) => {
        const shards = result.shards.filter(({ id }) => id.workchain === workchain);
        const prefixes = shards.map(({ id }) => prefixOf(id.shard));
        const twice = prefixes.some((prefix, index) => prefixes.some((other, at) => at !== index && other.startsWith(prefix)));
        const whole = prefixes.reduce((sum, prefix) => sum + 2n ** BigInt(64 - prefix.length), 0n) === 2n ** 64n;
        const listed = shards.map(({ id }) => id.shard).join(", ");
        return unless(whole && !twice, exchange, `shards that together hold all of workchain ${workchain} once`, listed);
      });
    },
  },
  {
    id: "live/queue-blocks",
    says: "the block of each queue is the one that is found by its seqno",
    law: "#/components/schemas/blocks.outMsgQueueSize/properties/id",
    operations: ["getOutMsgQueueSize"],
    run: async (context) => {
      const { shards } = (await found(context, "getOutMsgQueueSize")).result;
      if (shards.length === 0) throw new NotApplicable("the service names no shard");
      const breaches: Breach[] = [];
      for (const { id } of shards.slice(0, 4)) {
        const { workchain, shard, seqno } = id;
        const { result, exchange } = await found(context, "lookupBlock", { workchain, shard, seqno });
        breaches.push(
          ...unless(
            isSameBlock(result, id),
            exchange,
            `${blockName(id)}, root_hash ${id.root_hash}`,
            `${blockName(result)}, root_hash ${result.root_hash}`,
          ),
        );
      }
      return breaches;
    },
  },
];
