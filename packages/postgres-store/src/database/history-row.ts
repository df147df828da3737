/** The row of table `history`: the steps that an index has, and a digest of the accounts before them. */
import { type BlockHeader, list, type RecordType, recordType } from "@chain-query/format/store";
import { PostgresStoreError } from "../types.ts";
import { type Queryable, query, type Row } from "./client.ts";
import { nestedHeader } from "./head-record.ts";
import { READ_HISTORY, READ_MASTERCHAIN_BLOCK } from "./statements.ts";

/** The row of table `history`. */
export interface StoredHistory {
  /** The first step that was not dropped. */
  readonly firstSeqno: number;
  /** The end of older steps in logical time. */
  readonly endLt: bigint;
  /** Rows of `account_base` that drops made. */
  readonly accounts: bigint;
  /** The XOR of the first eight bytes of the SHA-256 hashes of their keys, steps and records. */
  readonly digest: bigint;
  /** The first step of the index; 0 if it has the zero state. */
  readonly beginsAt: number;
  /** The newest block of each shard before `beginsAt`, the masterchain first; empty with the zero state. */
  readonly tips: readonly BlockHeader[];
  /** Transactions of steps that were added before those of the first writer. The head does not count them. */
  readonly transactions: bigint;
}

export const tipsRecord: RecordType<readonly BlockHeader[]> = recordType(1024, (io, tips) =>
  list(io, io.u32(tips?.length), tips, nestedHeader),
);

/** @throws PostgresStoreError if the row is missing. */
export async function readHistory(sql: Queryable, statement: string = READ_HISTORY): Promise<StoredHistory> {
  const [row] = await query<Omit<StoredHistory, "tips"> & Row & { readonly tips: Buffer | null }>(sql, statement);
  if (!row) throw new PostgresStoreError("damaged", "table history must have a row");
  return { ...row, tips: row.tips ? tipsRecord.decode(row.tips) : [] };
}

/** `account_base.mc_seqno` of the state before the first change of an account. The digest leaves it out. */
export const BEFORE_FIRST_CHANGE = -2;

/** The end and the time of a masterchain block of the index, or of the one before its first step. Undefined if it is missing. */
export async function readMasterchainBlock(
  sql: Queryable,
  { tips: [tip] }: StoredHistory,
  seqno: number,
): Promise<Pick<BlockHeader, "endLt" | "time"> | undefined> {
  if (tip?.id.seqno === seqno) return tip;
  const [row] = await query<{ end_lt: bigint; time: bigint }>(sql, READ_MASTERCHAIN_BLOCK, [seqno]);
  return row && { endLt: row.end_lt, time: Number(row.time) };
}
