import type { PlacedTransaction, TransactionPlace } from "@chain-query/format/blocks";
import { isEqual } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  type BlockSelector,
  isSameAccount,
  MASTERCHAIN,
  smallestShard,
  type TransactionId,
} from "@chain-query/format/identifiers";
import { type DecodedTransaction, decodeTransaction } from "@chain-query/format/transactions";
import { MAX_PAGE } from "../proof/account.ts";
import { checkTransactionCells, type ProvedList } from "../proof/transactions.ts";
import { LiteError } from "../wire/lite-error.ts";
import { type LiteQuery, queries } from "../wire/tl/queries.ts";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { type LiteTransaction, readPage, readState } from "./accounts.ts";
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
  const found = await lastBelow(context, account, lt + 1n);
  return found?.id.lt === lt ? found : undefined;
}

/**
 * The transaction that sent a message: the last transaction of its sender below the message's logical time. The block that covers this
 * time proves it.
 */
export async function findSender(
  context: ReadContext,
  { source, destination, createdLt }: LiteMessageKey,
): Promise<LiteTransaction | undefined> {
  const found = await lastBelow(context, source, createdLt);
  const isSent = found?.outMessages.some(
    (message) => message.createdLt === createdLt && isSameAccount(message.destination, destination),
  );
  return isSent ? found : undefined;
}

/** The last transaction of an account below a logical time, in the block that covers this time. */
async function lastBelow(context: ReadContext, account: AccountId, lt: bigint): Promise<LiteTransaction | undefined> {
  const block = await findBlock(context, smallestShard(account), { lt });
  if (!block) return undefined;
  const { transactions } = await listTransactions(context, block.id, { account: account.hash, lt }, 1, true);
  const [found] = transactions;
  if (!found || !isEqual(found.account, account.hash)) return undefined;
  return { ...decodeTransaction(found.cell), account, cell: found.cell, block: block.id };
}

/** The transactions of an account in a block, by rising logical time. */
async function* transactionsIn(
  context: ReadContext,
  block: BlockId,
  { hash: account }: AccountId,
): AsyncGenerator<PlacedTransaction, void, undefined> {
  let after: TransactionPlace | undefined = { account, lt: 0n };
  while (after) {
    const { transactions, isComplete } = await listTransactions(context, block, after, MAX_PAGE, false);
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
    query: listQuery(block, after, count, reverse),
    check: (answer) => checkTransactionCells({ block, count, after, reverse }, answer),
    isImmutable: true,
  });
}

export function listQuery(
  id: BlockId,
  { account, lt }: TransactionPlace,
  count: number,
  reverse: boolean,
): LiteQuery<LiteAnswer<"listBlockTransactionsExt">> {
  const mode = LIST_MODE | (reverse ? REVERSE : 0);
  return queries.listBlockTransactionsExt({ id, mode, count, after: { account, lt: BigInt.asIntN(64, lt) } });
}

/** Blocks of the destination's shard, from the message on, that are searched first: most messages are delivered there. */
const FIRST_BLOCKS = 4;
/** The first masterchain block after the message in whose state the delivery is searched, and the growth of later distances. */
const FIRST_STATE = 4;

/**
 * The transaction that received a message. Undefined is proved: the message was not sent, or not received up to the head. The order of the
 * places saves queries:
 *
 * 1. the newest transactions of the destination;
 * 2. the first blocks after the message;
 * 3. old states of the destination, by binary search;
 * 4. the whole history of the destination down to the message;
 * 5. if the history begins later, since the account was deleted, all blocks in between.
 */
export async function findReceiver(context: ReadContext, message: LiteMessageKey): Promise<LiteTransaction | undefined> {
  const { createdLt: above, destination } = message;
  // The network itself sends messages from address 0, without a transaction, and delivers them in the same block.
  const isOfNetwork = message.source.hash.every((byte) => byte === 0);
  if (isOfNetwork) return (await searchBlocks(context, message, { above, below: undefined }, 1)).found;
  if (!(await findSender(context, message))) return undefined;

  const { last } = await readState(context, destination);
  const newest = await searchHistory(context, message, last, above, 1);
  if (newest.found || newest.isComplete) return newest.found;
  const gap = { above, below: newest.next.lt === 0n ? newest.oldest : undefined };
  const first = await searchBlocks(context, message, gap, FIRST_BLOCKS);
  if (first.found || first.isComplete) return first.found;
  const between = last.lt > above ? await searchStates(context, message) : undefined;
  if (between) return between;
  const older = await searchHistory(context, message, newest.next, above, Number.POSITIVE_INFINITY);
  if (older.found || older.isComplete) return older.found;
  const below = older.oldest ?? newest.oldest;
  return (await searchBlocks(context, message, { above, below }, Number.POSITIVE_INFINITY)).found;
}

/** Logical times between two others; without the upper one, up to the head. */
interface LtRange {
  readonly above: bigint;
  readonly below: bigint | undefined;
}

interface Search {
  readonly found?: LiteTransaction | undefined;
  /** Whether the whole range was searched. */
  readonly isComplete: boolean;
}

interface HistorySearch extends Search {
  /** The first transaction that was not read; lt 0 if the history begins above the range. */
  readonly next: TransactionId;
  /** The logical time of the last transaction that was read; undefined without one. */
  readonly oldest: bigint | undefined;
}

/** Searches the receiver of a message among the transactions from `from` down to a logical time, in some pages. */
async function searchHistory(
  context: ReadContext,
  message: LiteMessageKey,
  from: TransactionId,
  above: bigint,
  pages: number,
): Promise<HistorySearch> {
  let next = from;
  let oldest: bigint | undefined;
  for (let page = 0; page < pages && next.lt > above; page++) {
    const { transactions, next: before } = await readPage(context, message.destination, next, MAX_PAGE);
    const found = transactions.find((transaction) => isReceived(transaction, message));
    next = before;
    oldest = transactions.at(-1)?.id.lt;
    if (found) return { found: { ...found, account: message.destination }, isComplete: true, next, oldest };
  }
  return { isComplete: next.lt > 0n && next.lt <= above, next, oldest };
}

/**
 * Searches the receiver of a message by the order of the messages that the destination received: shards deliver them in the order of their
 * creation, with exceptions. So it is only a good guess where the message was delivered.
 */
async function searchStates(context: ReadContext, message: LiteMessageKey): Promise<LiteTransaction | undefined> {
  const { createdLt, destination } = message;
  const sent = await findBlock(context, MASTERCHAIN, { lt: createdLt });
  if (!sent) return undefined;
  /** The state at `low` is from before the delivery, and that at `high` from after it. */
  let low = sent.id.seqno;
  let high: number | undefined;
  let lowLt = createdLt;
  let next: TransactionId | undefined;
  for (let distance = FIRST_STATE; high === undefined || high - low > 1; distance *= 4) {
    const seqno: number = high === undefined ? sent.id.seqno + distance : Math.floor((low + high) / 2);
    // The newest transactions come next.
    if (seqno >= context.at.seqno) return undefined;
    const last = await lastAt(context, seqno, destination);
    if (!last) return undefined;
    const page = last.lt > lowLt ? await readPage(context, destination, last, MAX_PAGE) : undefined;
    const found = page?.transactions.find((transaction) => isReceived(transaction, message));
    if (found) return { ...found, account: destination };
    if (page?.transactions.some(({ inMessage }) => inMessage?.source && inMessage.createdLt > createdLt)) {
      high = seqno;
      next = page.next;
    } else {
      low = seqno;
      if (last.lt > lowLt) lowLt = last.lt;
    }
  }
  return next && (await searchHistory(context, message, next, lowLt, Number.POSITIVE_INFINITY)).found;
}

/** The last transaction of an account as of an old masterchain block; undefined if no server has the state. */
async function lastAt(context: ReadContext, seqno: number, account: AccountId): Promise<TransactionId | undefined> {
  try {
    const at = await findBlock(context, MASTERCHAIN, { seqno });
    return at && (await readState(context.asOf(at.id), account)).last;
  } catch (error) {
    if (error instanceof LiteError && (error.kind === "refused" || error.kind === "unavailable")) return undefined;
    throw error;
  }
}

/** Searches the receiver of a message in the first blocks of a range of its shard. */
async function searchBlocks(
  context: ReadContext,
  message: LiteMessageKey,
  { above, below }: LtRange,
  most: number,
): Promise<Search> {
  const shard = smallestShard(message.destination);
  let selector: BlockSelector = { lt: above + 1n };
  for (let searched = 0; searched < most; searched++) {
    const block = await findBlock(context, shard, selector);
    if (!block || (below !== undefined && block.startLt >= below)) return { isComplete: true };
    for await (const { lt, cell } of transactionsIn(context, block.id, message.destination)) {
      const transaction = lt > above ? decodeTransaction(cell) : undefined;
      if (transaction && isReceived(transaction, message)) {
        return { found: { ...transaction, account: message.destination, cell, block: block.id }, isComplete: true };
      }
    }
    // Not by number: after a merge, the shard lacks some.
    selector = { lt: block.endLt + 1n };
  }
  return { isComplete: false };
}

function isReceived({ inMessage }: DecodedTransaction, { source, createdLt }: LiteMessageKey): boolean {
  return inMessage?.createdLt === createdLt && isSameAccount(inMessage.source, source);
}
