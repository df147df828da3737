import { toBinaryString, writeBoc, writePooledBoc } from "@chain-query/format/cells";
import {
  accountKey,
  accountRecord,
  type BlockHeader,
  cellRecord,
  headerRecord,
  type KeepCell,
  type Step,
  type StepAccount,
  type StepBlock,
  type StepTransaction,
  storedAccount,
  storedTransaction,
  transactionRecord,
} from "@chain-query/format/store";
import { decodeTransaction } from "@chain-query/format/transactions";
import { BEFORE_FIRST_CHANGE } from "../database/history-row.ts";

/** A table for bulk writes: its columns in order, and the number of leading columns in its primary key. */
export interface BulkTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly keyLength: number;
}
type ColumnType = "bytea" | "int4" | "int8";

/** The values of a row, one for each column. */
export type BulkRow = readonly (Uint8Array | number | bigint | null)[];

const table = (name: string, keyLength: number, columns: Readonly<Record<string, ColumnType>>): BulkTable => ({
  ...{ name, keyLength, columns: Object.entries(columns) },
});
const versions = { account: "bytea", mc_seqno: "int4", record: "bytea" } as const;
const transactions = { account: "bytea", lt: "int8", mc_seqno: "int4", in_created_lt: "int8", record: "bytea" } as const;
const header = { end_lt: "int8", time: "int8", mc_seqno: "int4", record: "bytea" } as const;

/** The table of each part of a batch. `firstStates`: before the first change of an account in an index that begins late. */
export const TABLES: Readonly<Record<keyof Batch, BulkTable>> = {
  cells: table("cells", 1, { hash: "bytea", record: "bytea" }),
  transactions: table("transactions", 3, transactions),
  versions: table("account_versions", 2, versions),
  firstStates: table("account_base", 1, versions),
  blocks: table("blocks", 3, { workchain: "int4", shard: "int8", seqno: "int4", ...header }),
};

/** The rows of some steps. */
export interface Batch {
  readonly cells: BulkRow[];
  readonly transactions: BulkRow[];
  readonly versions: BulkRow[];
  readonly firstStates: BulkRow[];
  readonly blocks: BulkRow[];
}

/** Encodes the rows of steps. @param knownCells - Hashes of cells that are stored already. */
export function encodeSteps(steps: readonly Step[], knownCells: ReadonlySet<string>): Batch {
  const batch: Batch = { cells: [], transactions: [], versions: [], firstStates: [], blocks: [] };
  const keepCell = cellKeeper(batch, knownCells);
  for (const step of steps) {
    const { seqno } = step.masterchain.id;
    for (const block of [...step.shards, step.masterchain]) {
      batch.blocks.push(blockRow(headerOf(block, seqno)));
      for (const transaction of block.transactions) batch.transactions.push(transactionRow(transaction, seqno, keepCell));
    }
    for (const changed of step.accounts) {
      const { account, before } = changed;
      batch.versions.push(versionRow(changed, seqno, keepCell));
      if (before) batch.firstStates.push(versionRow({ account, shardAccount: before }, BEFORE_FIRST_CHANGE, keepCell));
    }
  }
  sortByBytes(batch.cells);
  return batch;
}

/** Encodes the rows of accounts of zero states. */
export function encodeAccounts(accounts: readonly StepAccount[], knownCells: ReadonlySet<string>): Batch {
  const batch: Batch = { cells: [], transactions: [], versions: [], firstStates: [], blocks: [] };
  const keepCell = cellKeeper(batch, knownCells);
  for (const account of accounts) batch.versions.push(versionRow(account, 0, keepCell));
  sortByBytes(batch.cells);
  return batch;
}

export function headerOf({ transactions, ...header }: StepBlock, masterchainSeqno: number): BlockHeader {
  return { ...header, masterchainSeqno, transactionCount: transactions.length };
}

export function blockRow(header: BlockHeader): BulkRow {
  const { id, endLt, time, masterchainSeqno } = header;
  const record = headerRecord.encode(header);
  return [id.workchain, id.shard, id.seqno, endLt, BigInt(time), masterchainSeqno, record];
}

export function transactionRow({ account, cell }: StepTransaction, seqno: number, keepCell: KeepCell): BulkRow {
  const decoded = decodeTransaction(cell);
  const { id, inMessage } = decoded;
  const record = transactionRecord.encode(storedTransaction(decoded, writePooledBoc(cell), seqno, keepCell));
  const isInternal = inMessage?.source !== undefined && inMessage.destination !== undefined;
  return [accountKey(account), id.lt, seqno, isInternal ? inMessage.createdLt : null, record];
}

export function versionRow({ account, shardAccount }: StepAccount, seqno: number, keepCell: KeepCell): BulkRow {
  return [accountKey(account), seqno, accountRecord.encode(storedAccount(shardAccount, keepCell))];
}

function cellKeeper(batch: Batch, knownCells: ReadonlySet<string>): KeepCell {
  const added = new Set<string>();
  return (cell) => {
    const id = toBinaryString(cell.hash);
    if (!knownCells.has(id) && !added.has(id)) {
      added.add(id);
      batch.cells.push([cell.hash, cellRecord.encode(writeBoc(cell))]);
    }
    return cell.hash;
  };
}

const MAX_KNOWN_CELLS = 100_000;

/** Adds the cells of a written batch to the known cells. */
export function rememberCells(known: Set<string>, { cells }: Batch): void {
  if (known.size > MAX_KNOWN_CELLS) known.clear();
  for (const [hash] of cells) if (hash instanceof Uint8Array) known.add(toBinaryString(hash));
}

/** Several writers may insert the same cells. The same order in all of them prevents deadlocks. */
function sortByBytes(rows: BulkRow[]): void {
  rows.sort(([a], [b]) => (a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) : 0));
}
