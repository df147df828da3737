import type { Parameter } from "../connection.ts";
import { DroppedHistoryError, PostgresStoreError } from "../types.ts";
import type { Reads } from "./reads.ts";

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
  reads: Reads,
  statement: string,
  parameters: readonly Parameter[],
  at: number,
): Promise<RowsWithHistory> {
  const rows = await reads.rows(statement, parameters, at);
  const [first, end, newest] = rows[0] ?? [];
  if (typeof first !== "number" || typeof end !== "bigint")
    throw new PostgresStoreError("damaged", "the index is damaged: table history has no row");
  // The zero state changes no account, it makes them: it has no transactions.
  const isDropped = typeof newest === "number" && newest > 0;
  return {
    records: rows.flatMap(([, , , text]) => (typeof text === "string" ? [Buffer.from(text, "base64")] : [])),
    ...{ firstSeqno: first, endLt: end },
    dropped: isDropped ? new DroppedHistoryError(first, end) : undefined,
  };
}

/** Throws an error, unless it is about steps that ended before a message was created: they neither sent nor received it. */
export function unlessLater(createdLt: bigint): (error: unknown) => [] {
  return (error) => {
    if (error instanceof DroppedHistoryError && createdLt >= error.endLt) return [];
    throw error;
  };
}
