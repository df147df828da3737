import { blockName, isSameShard } from "@chain-query/format/identifiers";
import { type BlockHeader, type BlockId, headerRecord } from "@chain-query/format/store";
import { type Database, query, type Row } from "../database/client.ts";
import { begun, type HeadRow, readChain, readHead, type StoredChain } from "../database/head-record.ts";
import { readHistory, readMasterchainBlock, type StoredHistory } from "../database/history-row.ts";
import { withIndex } from "../migrate.ts";
import { sumBase } from "../partitions/partition-statements.ts";
import { readPartitions } from "../partitions/partitions.ts";
import { type IndexedChain, type PostgresConnection, PostgresStoreError } from "../types.ts";
import { blockRow, TABLES } from "../writing/encode-steps.ts";
import { must, mustBe, mustEqual, naming, rowsOf, verifyCells } from "./rows.ts";
import { verifyAccounts } from "./verify-accounts.ts";

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

/** Options of `verifyIndex`. */
export interface VerifyOptions {
  /** The first step to check. Default: all, and with them the sums of what was dropped and of the zero state. */
  readonly from?: number;
  /** Receives the number of checked transactions, and of all. */
  readonly onProgress?: (checked: number, all: number) => void;
}

/** How often `onProgress` is called. */
const PROGRESS_EVERY = 1_000;

/**
 * Makes the rows of each step again from the cells in them, with the code that wrote them, and compares all that readers can see; also checks
 * that no row is missing, and the rows that dropped partitions left. An indexer may write at the same time.
 *
 * @throws PostgresStoreError of kind `damaged` at the first row that is wrong; the message names it.
 * @throws RangeError if `from` is not a step of the index.
 *
 * @example
 * const { transactions } = await verifyIndex({ url: "postgres://reader@localhost/chain" });
 */
export async function verifyIndex(connection: PostgresConnection, options: VerifyOptions = {}): Promise<VerifiedIndex> {
  return withIndex({ statementTimeout: 0, ...connection }, "reader", async (sql) => {
    const history = await readHistory(sql);
    return verify(sql, history, options).catch(async (cause: unknown) => {
      if ((await readHistory(sql)).firstSeqno === history.firstSeqno) throw cause;
      throw new PostgresStoreError("busy", "history was dropped or added while it was verified: verify it again");
    });
  });
}

async function verify(
  sql: Database,
  history: StoredHistory,
  { from: first = 0, onProgress = () => {} }: VerifyOptions,
): Promise<VerifiedIndex> {
  const [chainName, headName] = [() => "the row of the chain", () => "the row of the head"];
  const chain = begun(await naming(chainName, () => readChain(sql)));
  const head = begun(await naming(headName, () => readHead(sql)));
  const isPart = first > Math.max(history.firstSeqno, 1);
  const from = isPart ? first : history.firstSeqno;
  if (from > head.seqno) throw new RangeError(`the step must be at most ${head.seqno}, the newest one, got ${from}`);
  await verifyBoundary(sql, history);
  const before = isPart ? await readMasterchainBlock(sql, history, from - 1) : history;
  must(before !== undefined, () => `masterchain block ${from - 1} is missing`);
  const begin = isPart ? { firstSeqno: from, beginsAt: from, endLt: before.endLt } : history;
  const { beginsAt } = begin;

  const stated = new Int32Array(head.seqno - from + 1);
  const sums = { blocks: 0, transactions: 0, dropped: 0 };
  await verifyBlocks(sql, { chain, head, history }, isPart ? from : 0, ({ id, masterchainSeqno: step, transactionCount }) => {
    must(step >= beginsAt, () => `block ${blockName(id)} is of step ${step}, before the index begins`);
    sums.blocks += 1;
    // Blocks of dropped steps remain.
    sums[step < from ? "dropped" : "transactions"] += transactionCount;
    if (step >= from) stated[step - from] = (stated[step - from] ?? 0) + transactionCount;
  });
  let checked = 0;
  const count = (step: number): void => {
    stated[step - from] = (stated[step - from] ?? 0) - 1;
    checked += 1;
    if (checked % PROGRESS_EVERY === 0) onProgress(checked, sums.transactions);
  };
  const { accounts, zeroAccounts } = await verifyAccounts(sql, { ...begin, head: head.seqno, isPart }, count);
  const wrong = stated.findIndex((missing) => missing !== 0);
  must(
    wrong < 0,
    () => `masterchain block ${from + wrong} has ${-(stated[wrong] ?? 0)} transactions more than its blocks state`,
  );
  if (!isPart) {
    const all = head.transactionCount + history.transactions;
    mustEqual(BigInt(checked + sums.dropped), all, () => "number of transactions at the head");
    await verifySums(sql, chain, from === 0 ? zeroAccounts : chain.zeroAccounts);
  }
  await verifyCells(sql);
  onProgress(checked, sums.transactions);
  const steps = head.seqno - Math.max(beginsAt, 1) + 1;
  return { steps, blocks: sums.blocks, transactions: checked, accounts, firstSeqno: from };
}

/** Compares the accounts that no later transaction refers to with their stored numbers and digests. */
async function verifySums(sql: Database, chain: StoredChain, { count, digest }: StoredChain["zeroAccounts"]): Promise<void> {
  mustEqual(count, chain.zeroAccounts.count, () => "number of accounts of the zero state");
  mustEqual(digest, chain.zeroAccounts.digest, () => "digest of the accounts of the zero state");
  // One statement: a drop may write meanwhile.
  const [row] = await query<Record<"accounts" | "digest" | "kept" | "stored", bigint>>(sql, READ_BASE_SUMS);
  must(row !== undefined, () => "table history has no row");
  mustEqual(row.accounts, row.kept, () => "number of accounts that dropped steps left");
  mustEqual(row.digest, row.stored, () => "digest of the accounts that dropped steps left");
}

const READ_BASE_SUMS = `SELECT base.*, history.accounts AS kept, history.digest AS stored
  FROM history CROSS JOIN (${sumBase()}) AS base WHERE history.id = 1`;

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

const READ_BLOCK = "SELECT record FROM blocks WHERE workchain = $1 AND shard = $2 AND seqno = $3";

interface BlockRow extends Row {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly record: Buffer;
}

/** The index whose blocks are checked. */
interface VerifiedChain {
  readonly chain: IndexedChain;
  readonly head: HeadRow;
  readonly history: StoredHistory;
}

/**
 * Checks every block against the one before it, and the newest ones against the head.
 *
 * @param from - The first step.
 * @param found - Called for each block.
 */
async function verifyBlocks(
  sql: Database,
  { chain, head, history }: VerifiedChain,
  from: number,
  found: (block: BlockHeader) => void,
): Promise<void> {
  const zeroStates = [chain.masterchain, ...chain.shards];
  const known = (id: BlockId): BlockId | undefined =>
    [...zeroStates, ...history.tips.map((tip) => tip.id)].find((one) => isSameShard(one, id) && one.seqno === id.seqno);
  let neighbour: BlockId | undefined;
  for await (const row of rowsOf<BlockRow>(sql, TABLES.blocks, [from, head.seqno])) {
    const name = (): string => `block ${blockName(row)}`;
    const header = await naming(name, () => headerRecord.decode(row.record));
    const { id, previous, masterchainSeqno } = header;
    mustBe(TABLES.blocks, row, blockRow(header), name);
    if (isSameShard(id, chain.masterchain)) mustEqual(masterchainSeqno, id.seqno, () => `masterchain seqno of ${name()}`);
    const isNext = neighbour && isSameShard(neighbour, previous) && neighbour.seqno === previous.seqno;
    const before = isNext ? neighbour : (known(previous) ?? (await readBlock(sql, previous))?.id);
    must(before !== undefined, () => `block ${blockName(previous)}, before ${name()}, is missing`);
    mustEqual(previous.rootHash, before.rootHash, () => `root hash of the block before ${name()}`);
    mustEqual(previous.fileHash, before.fileHash, () => `file hash of the block before ${name()}`);
    found(header);
    neighbour = id;
  }
  for (const tip of head.shards) {
    const name = (): string => `block ${blockName(tip.id)} at the head`;
    const stored = await readBlock(sql, tip.id);
    must(stored !== undefined || known(tip.id) !== undefined, () => `${name()} is missing`);
    if (stored) mustEqual(headerRecord.encode(tip), headerRecord.encode(stored), () => `record of ${name()}`);
  }
  mustEqual(head.shards[0]?.id.seqno, head.seqno, () => "seqno of the masterchain's newest block at the head");
}

async function readBlock(sql: Database, { workchain, shard, seqno }: BlockId): Promise<BlockHeader | undefined> {
  const [row] = await query<{ record: Buffer }>(sql, READ_BLOCK, [workchain, shard, seqno]);
  return (
    row &&
    naming(
      () => `block ${blockName({ workchain, shard, seqno })}`,
      () => headerRecord.decode(row.record),
    )
  );
}
