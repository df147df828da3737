/** Checks of finding blocks by time and by logical time. A block id names neither, so both are compared with what accounts answer. */
import { prefixOf, shardOf } from "../../address.ts";
import { type Check, type Context, NotApplicable } from "../check.ts";
import { accountsOf, transactionsOf } from "./account-sample.ts";
import { blockAndHash, blockName, fetchResult, isSameBlock, masterchain, tryFetch } from "./fetch.ts";

/** The time of a masterchain block: sync_utime of any account as of that block. */
async function timeOf(context: Context, seqno: number): Promise<number> {
  const [{ address }] = await accountsOf(context);
  const { result } = await fetchResult(context, "getAddressInformation", { address, seqno: String(seqno) });
  if (result.block_id.seqno !== seqno) throw new NotApplicable("accounts cannot be read as of an earlier block");
  return result.sync_utime;
}

export const timeChecks: readonly Check[] = [
  {
    id: "live/block-by-time",
    says: "a lookup by time finds the first block at or after it",
    law: "D-12",
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
    says: "a lookup by the logical time of a transaction finds its block, in a shard that contains the account",
    law: "D-12",
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
        // The block is one of those with the time of its transactions: not before the first block of that second, and before
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
    says: "a lookup by a logical time between two blocks finds the later one",
    law: "D-12",
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

/** Every block of the network begins at a multiple of this logical time, and uses a small part of the range. */
const ltAlignment = 1_000_000n;
