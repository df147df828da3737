/** Laws of finding blocks by time and by logical time. Blocks tell neither, so both are compared with what accounts tell. */
import { prefixOf, shardOf } from "../../address.ts";
import { type Breach, type Check, type Context, NotApplicable } from "../check.ts";
import { accountsOf, transactionsOf } from "./account-sample.ts";
import { blockName, breachOf, found, isSameBlock, masterchain, tried, unless } from "./typed-requests.ts";

/** The time of a masterchain block, which is told by the state of any account as of it. */
async function timeOf(context: Context, seqno: number): Promise<number> {
  const [account] = await accountsOf(context);
  const { result } = await found(context, "getAddressInformation", { address: account?.address, seqno: String(seqno) });
  if (result.block_id.seqno !== seqno) throw new NotApplicable("accounts cannot be read as of an earlier block");
  return result.sync_utime;
}

export const timeChecks: readonly Check[] = [
  {
    id: "live/block-by-time",
    says: "by time it is the first block at or after it",
    law: "D-12",
    operations: ["lookupBlock"],
    run: async (context) => {
      const [account] = await accountsOf(context);
      if (account === undefined) return [];
      const { block_id, sync_utime } = account.state;
      const breaches: Breach[] = [];
      for (const seqno of new Set([block_id.seqno, Math.max(2, block_id.seqno - 20)])) {
        const time = seqno === block_id.seqno ? sync_utime : await timeOf(context, seqno);
        for (const unixtime of [time, time - 1]) {
          const { result, exchange } = await found(context, "lookupBlock", { ...masterchain, unixtime });
          // The block itself is at or after both moments, so the first such is that block or one before it.
          const isFirst =
            result.seqno <= seqno &&
            (await timeOf(context, result.seqno)) >= unixtime &&
            (result.seqno <= 1 || (await timeOf(context, result.seqno - 1)) < unixtime);
          breaches.push(
            ...unless(
              isFirst,
              exchange,
              `the first block at or after ${unixtime}; block ${seqno} is of ${time}`,
              blockName(result),
            ),
          );
        }
      }
      return breaches;
    },
  },
  {
    id: "live/block-by-lt",
    says: "by logical time it is the block that contains it, in a shard that holds the account",
    law: "D-12",
    operations: ["lookupBlock"],
    run: async (context) => {
      const breaches: Breach[] = [];
      const known = await transactionsOf(context);
      for (const { transaction, account } of [known[0], known[Math.floor(known.length / 2)], known.at(-1)].flatMap(
        (one) => one ?? [],
      )) {
        const workchain = Number(account.address.split(":")[0]);
        const shard = workchain === -1 ? masterchain.shard : shardOf(account.address);
        const { utime, transaction_id } = transaction;
        const by = (selector: Readonly<Record<string, unknown>>): Promise<Awaited<ReturnType<typeof tried<"lookupBlock">>>> =>
          tried(context, "lookupBlock", { workchain, shard, ...selector });
        const { result: block, exchange } = await by({ lt: transaction_id.lt });
        const expected = `the block of transaction ${transaction_id.lt}, which is of ${utime}`;
        if (block === undefined) {
          breaches.push(breachOf(exchange, expected));
          continue;
        }
        const holds = prefixOf(shard).startsWith(prefixOf(block.shard));
        const { result: first } = await by({ unixtime: utime });
        const { result: after } = await by({ unixtime: utime + 1 });
        // A block is of the time of its transactions: not before the first of that second, and before the first of the next.
        const fits =
          block.workchain === workchain &&
          holds &&
          first !== undefined &&
          block.seqno >= first.seqno &&
          (after === undefined || block.seqno < after.seqno);
        const bounds = `at ${utime}: ${first?.seqno ?? "none"}, at ${utime + 1}: ${after?.seqno ?? "none"}`;
        breaches.push(...unless(fits, exchange, expected, `${blockName(block)}, while the first blocks are ${bounds}`));
        const again = await by({ shard: block.shard, seqno: block.seqno });
        const isSame = again.result !== undefined && isSameBlock(again.result, block);
        breaches.push(
          ...unless(
            isSame,
            again.exchange,
            `${blockName(block)}, root_hash ${block.root_hash}`,
            again.result?.root_hash ?? "nothing",
          ),
        );
      }
      return breaches;
    },
  },
];
