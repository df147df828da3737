import { readBoc } from "@chain-query/format/cells";
import { decodeTransaction } from "@chain-query/format/transactions";
import { ChainStoreError } from "../store/store-error.ts";
import { readBlockContents } from "../verify/block-contents.ts";
import type { Described } from "./described.ts";
import type { Inspected } from "./inspected.ts";
import { blockNamed } from "./names.ts";
import { blockName, header, transactionName } from "./words.ts";

/** A block with the transactions in it, and in a masterchain block the shard blocks that it commits. */
export function describeBlock({ chain }: Inspected, name: string): Described {
  const block = blockNamed(chain, name);
  const boc = chain.blockData(block.id);
  if (!boc) throw new ChainStoreError(`the chain is damaged: block ${blockName(block.id)} is missing`);
  const { transactions, shards, flow } = readBlockContents(readBoc(boc));
  return {
    ...header(block),
    bytes: boc.length,
    value: {
      before: `${flow.before.coins}`,
      after: `${flow.after.coins}`,
      imported: `${flow.imported.coins}`,
      exported: `${flow.exported.coins}`,
      fees_collected: `${flow.feesCollected.coins}`,
    },
    ...(shards.length > 0 && { shards: shards.map((tip) => blockName(tip)) }),
    transactions: transactions.map((cell) => {
      const { accountHash, id, fee, inMessage, outMessages } = decodeTransaction(cell);
      const account = { workchain: block.id.workchain, hash: accountHash };
      const began = inMessage ? (inMessage.source ? "a message" : "a message from outside") : "the clock";
      return `${transactionName(account, id)}  fee ${fee}, begun by ${began}, ${outMessages.length} messages sent`;
    }),
  };
}
