import type { PlacedTransaction, TransactionPlace } from "@chain-query/format/blocks";
import type { AccountId, BlockId } from "@chain-query/format/identifiers";
import { decodeTransaction } from "@chain-query/format/transactions";
import { LiteError } from "./lite-error.ts";
import { smallestShard } from "./proof/account.ts";
import { checkTransactionCells } from "./proof/transactions.ts";
import { type LiteTransaction, PAGE, readPage, readState } from "./reading/accounts.ts";
import { findBlock } from "./reading/blocks.ts";
import type { Reading } from "./reading/reading.ts";
import { queries } from "./tl/index.ts";

/** An internal message. */
export interface LiteMessageKey {
  readonly source: AccountId;
  readonly destination: AccountId;
  readonly createdLt: bigint;
}

const MASTERCHAIN = { workchain: -1, shard: -(2n ** 63n) };
/** Masterchain blocks after the message in which its delivery is looked for, before all up to the head. */
const PROBES = [1, 4, 16, 64, 256];
/** Cells, descending order, a first place, and a proof. */
const LIST_MODE = 1 | 2 | 4 | 32 | 64 | 128;
/** The same in rising order. */
const RISING_LIST_MODE = LIST_MODE & ~64;

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
  const after = { account: source.hash, lt: createdLt };
  const found = await reading.ask({
    query: queries.listBlockTransactionsExt({
      id: block.id,
      mode: LIST_MODE,
      count: 1,
      after: { account: source.hash, lt: BigInt.asIntN(64, createdLt) },
    }),
    check: (answer) => {
      const { transactions } = checkTransactionCells({ block: block.id, count: 1, after, reverse: true }, answer);
      return transactions[0];
    },
    isImmutable: true,
  });
  if (!found || !isEqual(found.account, source.hash)) return undefined;
  const transaction = decodeTransaction(found.cell);
  const isSent = transaction.outMessages.some(
    (message) => message.createdLt === createdLt && message.destination && isSameAccount(message.destination, destination),
  );
  return isSent ? { ...transaction, account: source, cell: found.cell, block: block.id } : undefined;
}

/**
 * The transaction that received a message. The history of the destination is read from states soon after the message, where it is short,
 * and at last from the head: if it reaches back to the message's time without such a transaction, the message was not received yet. The
 * history of an account that was deleted does not, so then the blocks of its shard are read.
 */
export async function findReceiver(reading: Reading, message: LiteMessageKey): Promise<LiteTransaction | undefined> {
  const { createdLt, destination } = message;
  const sent = await findBlock(reading, MASTERCHAIN, { lt: createdLt });
  if (!sent) return undefined;
  const seqnos = PROBES.map((distance) => sent.id.seqno + distance).filter((seqno) => seqno < reading.at.seqno);
  let above = createdLt;
  let reachesBack = true;
  for (const seqno of [...seqnos, undefined]) {
    const last = seqno === undefined ? (await readState(reading, destination)).last : await lastAt(reading, seqno, destination);
    // Servers that do not keep old states leave only the head.
    if (!last) continue;
    const { found, end } = await searchHistory(reading, message, last, above);
    if (found) return found;
    reachesBack = end > 0n && (reachesBack || above === createdLt);
    if (last.lt > above) above = last.lt;
  }
  if (reachesBack || !(await findSender(reading, message))) return undefined;
  return await searchBlocks(reading, message);
}

/** Looks for the receiver of a message in the blocks of the destination's shard, one after another up to the newest. */
async function searchBlocks(
  reading: Reading,
  { source, destination, createdLt }: LiteMessageKey,
): Promise<LiteTransaction | undefined> {
  const shard = smallestShard(destination);
  let block = await findBlock(reading, shard, { lt: createdLt });
  while (block) {
    const { id } = block;
    let after: TransactionPlace | undefined = { account: destination.hash, lt: createdLt };
    while (after) {
      const listed = await listAfter(reading, id, after);
      const own = listed.filter(({ account }) => isEqual(account, destination.hash));
      for (const { cell } of own) {
        const transaction = decodeTransaction(cell);
        const { inMessage } = transaction;
        const isReceiver = inMessage?.createdLt === createdLt && inMessage.source && isSameAccount(inMessage.source, source);
        if (isReceiver) return { ...transaction, account: destination, cell, block: id };
      }
      after = own.length === PAGE ? own.at(-1) : undefined;
    }
    block = await findBlock(reading, shard, { lt: block.endLt + 1n });
  }
  return undefined;
}

/** The next transactions of a block by account and logical time. */
function listAfter(reading: Reading, block: BlockId, after: TransactionPlace): Promise<readonly PlacedTransaction[]> {
  return reading.ask({
    query: queries.listBlockTransactionsExt({
      id: block,
      mode: RISING_LIST_MODE,
      count: PAGE,
      after: { account: after.account, lt: BigInt.asIntN(64, after.lt) },
    }),
    check: (answer) => checkTransactionCells({ block, count: PAGE, after }, answer).transactions,
    isImmutable: true,
  });
}

/** The last transaction of an account as of an old masterchain block; undefined if no server has the state. */
async function lastAt(reading: Reading, seqno: number, account: AccountId): Promise<LiteTransaction["id"] | undefined> {
  try {
    const at = await findBlock(reading, MASTERCHAIN, { seqno });
    return at && (await readState(reading.asOf(at.id), account)).last;
  } catch (error) {
    if (error instanceof LiteError && (error.kind === "refused" || error.kind === "unavailable")) return undefined;
    throw error;
  }
}

/**
 * Looks for the receiver of a message among the transactions up to `from` and above a logical time.
 *
 * @returns Without it: the lt of the transaction at or below this time with which the search ended, 0 if the history begins above it.
 */
async function searchHistory(
  reading: Reading,
  { source, destination, createdLt }: LiteMessageKey,
  from: LiteTransaction["id"],
  above: bigint,
): Promise<{ readonly found?: LiteTransaction; readonly end: bigint }> {
  let next = from;
  while (next.lt > above) {
    const page = await readPage(reading, destination, next, PAGE);
    for (const transaction of page.transactions) {
      const { inMessage, id } = transaction;
      if (id.lt <= above) return { end: id.lt };
      const isReceiver = inMessage?.createdLt === createdLt && inMessage.source && isSameAccount(inMessage.source, source);
      if (isReceiver) return { found: { ...transaction, account: destination }, end: id.lt };
    }
    next = page.next;
  }
  return { end: next.lt };
}

function isSameAccount(a: AccountId, b: AccountId): boolean {
  return a.workchain === b.workchain && isEqual(a.hash, b.hash);
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
