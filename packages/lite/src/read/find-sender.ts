import type { PlacedTransaction, TransactionPlace } from "@chain-query/format/blocks";
import { isEqual } from "@chain-query/format/cells";
import { type AccountId, type BlockId, isSameAccount, smallestShard } from "@chain-query/format/identifiers";
import { decodeTransaction } from "@chain-query/format/transactions";
import { checkTransactionCells, type ProvedList } from "../proof/transactions.ts";
import { queries } from "../wire/tl/queries.ts";
import { type LiteTransaction, PAGE } from "./accounts.ts";
import { findBlock } from "./blocks.ts";
import type { ReadContext } from "./read-context.ts";

/** An internal message. */
export interface LiteMessageKey {
  readonly source: AccountId;
  readonly destination: AccountId;
  readonly createdLt: bigint;
}

/** Mode bits: account, lt, hash, a place to start after, and a proof. */
const LIST_MODE = 1 | 2 | 4 | 32 | 128;
const REVERSE = 64;

/** The transaction of an account with a logical time. The block that covers this time proves its absence. */
export async function findTransaction(
  context: ReadContext,
  account: AccountId,
  lt: bigint,
): Promise<LiteTransaction | undefined> {
  const block = await findBlock(context, smallestShard(account), { lt: lt + 1n });
  if (!block) return undefined;
  const { transactions } = await listTransactions(context, block.id, { account: account.hash, lt: lt + 1n }, 1, true);
  const [found] = transactions;
  if (!found || found.lt !== lt || !isEqual(found.account, account.hash)) return undefined;
  return { ...decodeTransaction(found.cell), account, cell: found.cell, block: block.id };
}

/**
 * The transaction that sent a message: the last transaction of its sender below the message's logical time. The block that covers this
 * time proves it.
 */
export async function findSender(
  context: ReadContext,
  { source, destination, createdLt }: LiteMessageKey,
): Promise<LiteTransaction | undefined> {
  const block = await findBlock(context, smallestShard(source), { lt: createdLt });
  if (!block) return undefined;
  const { transactions } = await listTransactions(context, block.id, { account: source.hash, lt: createdLt }, 1, true);
  const [found] = transactions;
  if (!found || !isEqual(found.account, source.hash)) return undefined;
  const transaction = decodeTransaction(found.cell);
  const isSent = transaction.outMessages.some(
    (message) => message.createdLt === createdLt && isSameAccount(message.destination, destination),
  );
  return isSent ? { ...transaction, account: source, cell: found.cell, block: block.id } : undefined;
}

/** The transactions of an account in a block, by rising logical time. */
export async function* transactionsIn(
  context: ReadContext,
  block: BlockId,
  { hash: account }: AccountId,
): AsyncGenerator<PlacedTransaction, void, undefined> {
  let after: TransactionPlace | undefined = { account, lt: 0n };
  while (after) {
    const { transactions, isComplete } = await listTransactions(context, block, after, PAGE, false);
    for (const transaction of transactions) {
      if (!isEqual(transaction.account, account)) return;
      yield transaction;
    }
    after = isComplete ? undefined : transactions.at(-1);
  }
}

/** Transactions of a block with their cells, from a place in it upwards, or downwards. */
function listTransactions(
  context: ReadContext,
  block: BlockId,
  after: TransactionPlace,
  count: number,
  reverse: boolean,
): Promise<ProvedList> {
  return context.ask({
    query: queries.listBlockTransactionsExt({
      id: block,
      mode: LIST_MODE | (reverse ? REVERSE : 0),
      count,
      after: { account: after.account, lt: BigInt.asIntN(64, after.lt) },
    }),
    check: (answer) => checkTransactionCells({ block, count, after, reverse }, answer),
    isImmutable: true,
  });
}
