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
import type { Reading } from "./reading/reading.ts";

/** An internal message. */
export interface LiteMessageKey {
  readonly source: AccountId;
  readonly destination: AccountId;
  readonly createdLt: bigint;
}

/** Masterchain blocks after the message in which its delivery is looked for, before all up to the head. */
const PROBES = [1, 4, 16, 64, 256];
/** With account, lt and hash, a place to begin after, and a proof. */
const LIST_MODE = 1 | 2 | 4 | 32 | 128;
const REVERSE = 64;

/** The transaction of an account with a logical time: the block that covers this time proves if there is no such transaction. */
export async function findTransaction(reading: Reading, account: AccountId, lt: bigint): Promise<LiteTransaction | undefined> {
  const block = await findBlock(reading, smallestShard(account), { lt: lt + 1n });
  if (!block) return undefined;
  const { transactions } = await listTransactions(reading, block.id, { account: account.hash, lt: lt + 1n }, 1, true);
  const [found] = transactions;
  if (!found || found.lt !== lt || !isEqual(found.account, account.hash)) return undefined;
  return { ...decodeTransaction(found.cell), account, cell: found.cell, block: block.id };
}

/**
 * The transaction that sent a message: the last one of its sender below the message's logical time, in the block that covers this time.
 * The block proves that there is no other.
 */
export async function findSender(
  reading: Reading,
  { source, destination, createdLt }: LiteMessageKey,
): Promise<LiteTransaction | undefined> {
  const block = await findBlock(reading, smallestShard(source), { lt: createdLt });
  if (!block) return undefined;
  const { transactions } = await listTransactions(reading, block.id, { account: source.hash, lt: createdLt }, 1, true);
  const [found] = transactions;
  if (!found || !isEqual(found.account, source.hash)) return undefined;
  const transaction = decodeTransaction(found.cell);
  const isSent = transaction.outMessages.some(
    (message) => message.createdLt === createdLt && isSameAccount(message.destination, destination),
  );
  return isSent ? { ...transaction, account: source, cell: found.cell, block: block.id } : undefined;
}

/**
 * The transaction that received a message. The history of the destination is read from states soon after the message, where it is short,
 * and at last from the head. A history begins anew when an account is deleted, or has no state at all: then the shard's blocks are
 * searched one by one. Undefined is certain: the message was not sent, or nothing up to the head received it.
 */
export async function findReceiver(reading: Reading, message: LiteMessageKey): Promise<LiteTransaction | undefined> {
  const { createdLt, destination } = message;
  const [sent, sender] = await Promise.all([findBlock(reading, MASTERCHAIN, { lt: createdLt }), findSender(reading, message)]);
  // The network itself sends messages from address 0, without a transaction.
  if (!sent || (!sender && message.source.hash.some((byte) => byte !== 0))) return undefined;
  const seqnos = PROBES.map((distance) => sent.id.seqno + distance).filter((seqno) => seqno < reading.at.seqno);
  const gaps: LtRange[] = [];
  let above = createdLt;
  for (const seqno of [...seqnos, undefined]) {
    const last = seqno === undefined ? (await readState(reading, destination)).last : await lastAt(reading, seqno, destination);
    // Servers that do not keep old states leave only the head.
    if (!last || last.lt <= above) continue;
    const { found, oldest } = await searchHistory(reading, message, last, above);
    if (found) return found;
    if (oldest !== undefined) gaps.push({ above, below: oldest });
    above = last.lt;
  }
  if ((await readState(reading, destination)).last.lt === 0n) gaps.push({ above, below: undefined });
  for (const gap of gaps) {
    const found = await searchBlocks(reading, message, gap);
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
async function lastAt(reading: Reading, seqno: number, account: AccountId): Promise<TransactionId | undefined> {
  try {
    const at = await findBlock(reading, MASTERCHAIN, { seqno });
    return at && (await readState(reading.asOf(at.id), account)).last;
  } catch (error) {
    if (error instanceof LiteError && (error.kind === "refused" || error.kind === "unavailable")) return undefined;
    throw error;
  }
}

/**
 * Looks for the receiver of a message among the transactions up to `from` and above a logical time. If the history begins after that time,
 * `oldest` is the logical time of its first transaction.
 */
async function searchHistory(
  reading: Reading,
  message: LiteMessageKey,
  from: TransactionId,
  above: bigint,
): Promise<{ readonly found?: LiteTransaction; readonly oldest?: bigint }> {
  let next = from;
  let oldest = from.lt;
  while (next.lt > above) {
    const page = await readPage(reading, message.destination, next, PAGE);
    for (const transaction of page.transactions) {
      if (transaction.id.lt <= above) return {};
      if (isReceived(transaction, message)) return { found: { ...transaction, account: message.destination } };
      oldest = transaction.id.lt;
    }
    next = page.next;
  }
  return next.lt === 0n ? { oldest } : {};
}

/** Looks for the receiver of a message in the blocks of its shard. */
async function searchBlocks(
  reading: Reading,
  message: LiteMessageKey,
  { above, below }: LtRange,
): Promise<LiteTransaction | undefined> {
  const shard = smallestShard(message.destination);
  let block = await findBlock(reading, shard, { lt: above + 1n });
  while (block && (below === undefined || block.startLt < below)) {
    for await (const { lt, cell } of transactionsIn(reading, block.id, message.destination)) {
      const transaction = lt > above ? decodeTransaction(cell) : undefined;
      if (transaction && isReceived(transaction, message)) {
        return { ...transaction, account: message.destination, cell, block: block.id };
      }
    }
    block = await findBlock(reading, shard, { seqno: block.id.seqno + 1 });
  }
  return undefined;
}

/** The transactions of an account in a block, by rising logical time. */
async function* transactionsIn(
  reading: Reading,
  block: BlockId,
  { hash: account }: AccountId,
): AsyncGenerator<PlacedTransaction, void, undefined> {
  let after: TransactionPlace | undefined = { account, lt: 0n };
  while (after) {
    const { transactions, isComplete } = await listTransactions(reading, block, after, PAGE, false);
    for (const transaction of transactions) {
      if (!isEqual(transaction.account, account)) return;
      yield transaction;
    }
    after = isComplete ? undefined : transactions.at(-1);
  }
}

/** Transactions of a block with their cells, from a place in it upwards, or downwards. */
function listTransactions(
  reading: Reading,
  block: BlockId,
  after: TransactionPlace,
  count: number,
  reverse: boolean,
): Promise<ProvedList<PlacedTransaction>> {
  return reading.ask({
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
