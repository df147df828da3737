import { connect, type Database, query } from "../client.ts";
import { chainRecord, headRowRecord, type StoredChain, type StoredHead } from "../head-record.ts";
import { readHistory, readMasterchainBlock, type StoredHistory } from "../history-row.ts";
import { requireSchema } from "../migrate.ts";
import { readPartitions } from "../partitions/partitions.ts";
import { READ_CHAIN, READ_HEAD } from "../statements.ts";
import { storeError } from "../store-error.ts";
import { type PostgresConnection, PostgresStoreError } from "../types.ts";
import { keptCells, must, mustEqual, naming, verifyCells } from "./rows.ts";
import { verifyAccounts } from "./verify-accounts.ts";
import { verifyBlocks } from "./verify-blocks.ts";

/** The content of a verified index. */
export interface VerifiedIndex {
  /** Masterchain blocks. */
  readonly steps: number;
  /** Of all shards. */
  readonly blocks: number;
  readonly transactions: number;
  readonly accounts: number;
  /** The first step whose transactions the index has; 0 with the zero state. */
  readonly firstSeqno: number;
}

/** How often `onProgress` is called. */
const PROGRESS_EVERY = 1_000;

/**
 * Checks every row that readers can see: transactions and their links, versions of accounts, blocks and their links, cells, and the head.
 * An indexer may write at the same time. Also checks the rows that dropped partitions left.
 *
 * @param onProgress - Receives the number of checked transactions, and of all.
 * @throws PostgresStoreError of kind `damaged` at the first row that is wrong; the message names it.
 *
 * @example
 * const { transactions } = await verifyIndex({ url: "postgres://reader@localhost/chain" });
 */
export async function verifyIndex(
  connection: PostgresConnection,
  onProgress: (checked: number, all: number) => void = () => {},
): Promise<VerifiedIndex> {
  const sql = connect({ statementTimeout: 0, ...connection }, "reader");
  try {
    await requireSchema(sql, connection);
    const history = await readHistory(sql);
    return await verify(sql, history, onProgress).catch(async (cause: unknown) => {
      if ((await readHistory(sql)).firstSeqno === history.firstSeqno) throw cause;
      throw new PostgresStoreError("busy", "history was dropped or added while it was verified: verify it again");
    });
  } catch (cause) {
    throw storeError(cause, connection);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function verify(
  sql: Database,
  history: StoredHistory,
  onProgress: (checked: number, all: number) => void,
): Promise<VerifiedIndex> {
  const { chain, seqno, head } = await readBeginning(sql);
  const { firstSeqno, beginsAt } = history;
  await verifyBoundary(sql, history);
  const all = Number(head.transactionCount);
  const countByStep = new Int32Array(seqno + 1);
  let checked = 0;
  const count = (step: number): void => {
    countByStep[step] = (countByStep[step] ?? 0) + 1;
    checked += 1;
    if (checked % PROGRESS_EVERY === 0) onProgress(checked, all);
  };
  const { accounts, zeroAccounts } = await verifyAccounts(sql, seqno, history, keptCells(sql), count);
  if (firstSeqno === 0) {
    mustEqual(zeroAccounts.count, chain.zeroAccounts.count, () => "number of accounts of the zero state");
    mustEqual(zeroAccounts.digest, chain.zeroAccounts.digest, () => "digest of the accounts of the zero state");
  }
  const blocks = await verifyBlocks(sql, { chain, seqno, head, history }, countByStep);
  // Blocks of dropped steps remain, and state the number of their transactions.
  const dropped = -countByStep.subarray(0, firstSeqno).reduce((sum, difference) => sum + difference, 0);
  const wrong = countByStep.findIndex((difference, step) => step >= firstSeqno && difference !== 0);
  must(wrong < 0, () => `masterchain block ${wrong} has ${countByStep[wrong]} transactions more than its blocks state`);
  mustEqual(
    BigInt(checked + dropped),
    head.transactionCount + history.transactions,
    () => "number of transactions at the head",
  );
  await verifyCells(sql);
  onProgress(checked, all);
  return { steps: beginsAt === 0 ? seqno : seqno - beginsAt + 1, blocks, transactions: checked, accounts, firstSeqno };
}

/** Checks the stored boundary against the partitions, the beginning of the index, and the last block below it. */
async function verifyBoundary(sql: Database, history: StoredHistory): Promise<void> {
  const { firstSeqno, endLt, beginsAt, tips } = history;
  const [lowest] = await readPartitions(sql);
  mustEqual(firstSeqno, Math.max(lowest?.from ?? 0, beginsAt), () => "the first step that was not dropped");
  mustEqual(
    tips[0]?.id.seqno,
    beginsAt === 0 ? undefined : beginsAt - 1,
    () => "the masterchain block before the index begins",
  );
  const last = firstSeqno === 0 ? undefined : await readMasterchainBlock(sql, history, firstSeqno - 1);
  must(firstSeqno === 0 || last !== undefined, () => `masterchain block ${firstSeqno - 1} is missing`);
  mustEqual(endLt, last?.endLt ?? 0n, () => "the end of dropped steps in logical time");
}

async function readBeginning(sql: Database): Promise<{ chain: StoredChain; seqno: number; head: StoredHead }> {
  const [chainRow] = await query<{ record: Buffer }>(sql, READ_CHAIN);
  const [headRow] = await query<{ seqno: number; record: Buffer }>(sql, READ_HEAD);
  if (!chainRow || !headRow) throw new PostgresStoreError("schema", "the database has no chain yet");
  const chain = await naming(
    () => "the row of the chain",
    () => chainRecord.decode(chainRow.record),
  );
  const head = await naming(
    () => "the row of the head",
    () => headRowRecord.decode(headRow.record),
  );
  return { chain, head, seqno: headRow.seqno };
}
