import { readTransactions } from "@chain-query/format/blocks";
import type { Cell } from "@chain-query/format/cells";
import { accountKey } from "./account-key.ts";
import type { StepBlock, StepTransaction } from "./step.ts";

/**
 * Reads the transactions of a block by account, those of one account by rising lt.
 *
 * @param block - The block's root cell.
 * @throws CellError if the cell does not hold a block.
 *
 * @example
 * const transactions = readStepTransactions(readBoc(boc), id.workchain);
 */
export function readStepTransactions(block: Cell, workchain: number): StepTransaction[] {
  return Array.from(readTransactions(block), ({ account: hash, cell }) => ({ account: { workchain, hash }, cell }));
}

/**
 * The last transaction of each account in blocks of a step. These are the accounts that the step changes.
 *
 * @param blocks - Those of a shard by rising seqno.
 */
export function lastTransactions(blocks: readonly Pick<StepBlock, "transactions">[]): StepTransaction[] {
  const last = new Map<string, StepTransaction>();
  for (const { transactions } of blocks) {
    for (const transaction of transactions) last.set(accountKey(transaction.account).toString("latin1"), transaction);
  }
  return Array.from(last.values());
}
