import type { ChainTransaction } from "@chain-query/chain-store";
import type { Parameter } from "../client.ts";
import type { Connection } from "../connection.ts";
import { DroppedHistoryError, PostgresStoreError } from "../types.ts";
import type { PartitionMap } from "./partition-map.ts";
import { selectTransactions, selectTransactionsWithHistory } from "./read-statements.ts";

/** Rows of an account, and what was dropped as of the same snapshot. */
interface RowsWithHistory {
  readonly records: readonly Buffer[];
  /** The first step that is there. */
  readonly firstSeqno: number;
  /** The end of the dropped steps in logical time. */
  readonly endLt: bigint;
  /** Undefined if none of the dropped steps changed the account. */
  readonly dropped: DroppedHistoryError | undefined;
}

/** Runs a statement with the columns of `withHistory`. */
export async function readWithHistory(
  reads: Connection,
  statement: string,
  parameters: readonly Parameter[],
  at: number,
  signal?: AbortSignal,
): Promise<RowsWithHistory> {
  const rows = await reads.rows(statement, parameters, at, signal);
  const [first, end, newest] = rows[0] ?? [];
  if (typeof first !== "number" || typeof end !== "bigint") throw damaged("table history", "has no row");
  // The zero state changes no account, it makes them: it has no transactions.
  const isDropped = typeof newest === "number" && newest > 0;
  return {
    records: rows.flatMap(([, , , text]) => (typeof text === "string" ? [Buffer.from(text, "base64")] : [])),
    ...{ firstSeqno: first, endLt: end },
    dropped: isDropped ? new DroppedHistoryError(first, end) : undefined,
  };
}

/** Whether dropped steps may have sent or received a message: none did that ended before it was created. */
export function mayHaveMessage({ endLt }: DroppedHistoryError, createdLt: bigint): boolean {
  return createdLt < endLt;
}

/** Transactions of an account, from one logical time down to above another. */
interface PageRange {
  readonly key: Uint8Array;
  readonly fromLt: bigint;
  readonly aboveLt: bigint;
  readonly limit: number;
}

/**
 * A page, newest first: from the partition in which it most likely is, then from all of them.
 *
 * @throws DroppedHistoryError if the whole page may have been dropped.
 */
export async function readPage(
  reads: Connection,
  partitions: PartitionMap,
  range: PageRange,
  at: number,
  decode: (records: readonly Uint8Array[]) => Promise<readonly ChainTransaction[]>,
  signal?: AbortSignal,
): Promise<readonly ChainTransaction[]> {
  const { key, fromLt, aboveLt, limit } = range;
  const parameters = (first: number, last: number) => [key, fromLt, aboveLt, first, last, limit];
  const { first, last } = await partitions.around(fromLt, at);
  const records = await reads.records(selectTransactions, parameters(first, last), at, signal);
  const near = linked(await decode(records), range);
  if (isWhole(near, range) && (last === at || near[0]?.id.lt === fromLt)) return near;
  const rows = await readWithHistory(reads, selectTransactionsWithHistory, parameters(0, at), at, signal);
  const all = linked(await decode(rows.records), range);
  return isWhole(all, range) ? all : endOfHistory(all, rows.dropped);
}

function isWhole(found: readonly ChainTransaction[], { aboveLt, limit }: PageRange): boolean {
  const end = found.at(-1)?.previous.lt;
  return found.length === limit || end === 0n || (end !== undefined && end <= aboveLt);
}

/** A page that ends early, if what follows was dropped, or nothing follows. */
function endOfHistory(
  found: readonly ChainTransaction[],
  dropped: DroppedHistoryError | undefined,
): readonly ChainTransaction[] {
  const end = found.at(-1);
  if (end === undefined && dropped !== undefined) throw dropped;
  if (end !== undefined && dropped === undefined) throw damaged(`transaction ${end.previous.lt}`, "is missing");
  return found;
}

/**
 * Each transaction names the one before it, so a row that is missing or was changed breaks the chain. The first one of an account that
 * was deleted and made again names none.
 */
function linked(found: readonly ChainTransaction[], { fromLt, aboveLt }: PageRange): readonly ChainTransaction[] {
  for (const [index, { id, previous }] of found.entries()) {
    if (id.lt > fromLt || id.lt <= aboveLt) throw damaged(`transaction ${id.lt}`, "has another logical time");
    const next = found[index + 1]?.id;
    if (previous.lt === 0n) return found.slice(0, index + 1);
    if (next !== undefined && (next.lt !== previous.lt || Buffer.compare(next.hash, previous.hash) !== 0))
      throw damaged(`transaction ${previous.lt}`, "is not the one that its next one names");
  }
  return found;
}

export function damaged(what: string, problem: string): PostgresStoreError {
  return new PostgresStoreError("damaged", `the index is damaged: ${what} ${problem}`);
}
