import type { PlacedTransaction, TransactionPlace } from "@chain-query/format/blocks";
import { isEqual } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  isSameAccount,
  MASTERCHAIN,
  smallestShard,
  type TransactionId,
} from "@chain-query/format/identifiers";
import { type DecodedTransaction, decodeTransaction } from "@chain-query/format/transactions";
import { LiteError } from "@chain-query/lite-protocol/error";
import { queries } from "@chain-query/lite-protocol/tl";
import { checkTransactionCells, type ProvedList } from "./proof/transactions.ts";
import { type LiteTransaction, PAGE, readPage, readState } from "./reading/accounts.ts";
import { findBlock } from "./reading/blocks.ts";
import type { ReadContext } from "./reading/read-context.ts";

/** An internal message. */
export interface LiteMessageKey {
  readonly source: AccountId;
  readonly destination: AccountId;
  readonly createdLt: bigint;
}

/** Distances of masterchain blocks after the message, in whose states its delivery is searched before the head. */
const PROBES = [1, 4, 16, 64, 256];
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

/**
 * The transaction that received a message. Reads the history of the destination first from states soon after the message, where it is
 * short, and finally from the head. A history starts again when an account is deleted: then searches the shard's blocks one by one.
 * Undefined is proved: the message was not sent, or not received up to the head.
 */
export async function findReceiver(context: ReadContext, message: LiteMessageKey): Promise<LiteTransaction | undefined> {
  const { createdLt, destination } = message;
  const [sent, sender] = await Promise.all([findBlock(context, MASTERCHAIN, { lt: createdLt }), findSender(context, message)]);
  // The network itself sends messages from address 0, without a transaction.
  if (!sent || (!sender && message.source.hash.some((byte) => byte !== 0))) return undefined;
  const seqnos = PROBES.map((distance) => sent.id.seqno + distance).filter((seqno) => seqno < context.at.seqno);
  const gaps: LtRange[] = [];
  let above = createdLt;
  for (const seqno of [...seqnos, undefined]) {
    const last = seqno === undefined ? (await readState(context, destination)).last : await lastAt(context, seqno, destination);
    // Without old states on the servers, only the head is left.
    if (!last || last.lt <= above) continue;
    const { found, oldest } = await searchHistory(context, message, last, above);
    if (found) return found;
    if (oldest !== undefined) gaps.push({ above, below: oldest });
    above = last.lt;
  }
  if ((await readState(context, destination)).last.lt === 0n) gaps.push({ above, below: undefined });
  for (const gap of gaps) {
    const found = await searchBlocks(context, message, gap);
    if (found) return found;
  }
  return undefined;
}

/** Logical times between two others; without the upper one, up to the head. */
interface LtRange {
  readonly above: bigint;
  readonly below: bigint | undefined;
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

/**
 * Searches the receiver of a message among the transactions up to `from` and above a logical time. If the history begins after that time,
 * `oldest` is the logical time of its first transaction.
 */
async function searchHistory(
  context: ReadContext,
  message: LiteMessageKey,
  from: TransactionId,
  above: bigint,
): Promise<{ readonly found?: LiteTransaction; readonly oldest?: bigint }> {
  let next = from;
  let oldest = from.lt;
  while (next.lt > above) {
    const page = await readPage(context, message.destination, next, PAGE);
    for (const transaction of page.transactions) {
      if (transaction.id.lt <= above) return {};
      if (isReceived(transaction, message)) return { found: { ...transaction, account: message.destination } };
      oldest = transaction.id.lt;
    }
    next = page.next;
  }
  return next.lt === 0n ? { oldest } : {};
}

/** Searches the receiver of a message in the blocks of its shard. */
async function searchBlocks(
  context: ReadContext,
  message: LiteMessageKey,
  { above, below }: LtRange,
): Promise<LiteTransaction | undefined> {
  const shard = smallestShard(message.destination);
  let block = await findBlock(context, shard, { lt: above + 1n });
  while (block && (below === undefined || block.startLt < below)) {
    for await (const { lt, cell } of transactionsIn(context, block.id, message.destination)) {
      const transaction = lt > above ? decodeTransaction(cell) : undefined;
      if (transaction && isReceived(transaction, message)) {
        return { ...transaction, account: message.destination, cell, block: block.id };
      }
    }
    block = await findBlock(context, shard, { seqno: block.id.seqno + 1 });
  }
  return undefined;
}

/** The transactions of an account in a block, by rising logical time. */
async function* transactionsIn(
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

function isReceived({ inMessage }: DecodedTransaction, { source, createdLt }: LiteMessageKey): boolean {
  return inMessage?.createdLt === createdLt && isSameAccount(inMessage.source, source);
}
