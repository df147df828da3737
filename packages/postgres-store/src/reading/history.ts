/** Reads transactions of accounts in an index whose history is partitioned, and may have lost its oldest partitions. */
import { isEqual } from "@chain-query/format/cells";
import { containsPrefix, isReached } from "@chain-query/format/identifiers";
import { type BlockSelector, type ChainTransaction, headerRecord, type ShardId } from "@chain-query/format/store";
import type { Parameter } from "../database/client.ts";
import { tipsRecord } from "../database/history-row.ts";
import { selectBegin, selectBlockBySeqno, selectTransactions, selectTransactionsWithHistory } from "../database/statements.ts";
import { READ_BOUNDS } from "../partitions/partition-statements.ts";
import { partitionsOf } from "../partitions/partitions.ts";
import { DroppedHistoryError, PostgresStoreError } from "../types.ts";
import type { Connection } from "./connection.ts";

/** Rows of an account, and the dropped history as of the same snapshot. */
interface RowsWithHistory {
  readonly records: readonly Buffer[];
  /** The first step that was not dropped. */
  readonly firstSeqno: number;
  /** The end of the dropped steps in logical time. */
  readonly endLt: bigint;
  /** Undefined if none of the dropped steps changed the account. */
  readonly dropped: DroppedHistoryError | undefined;
  /** Whether the index begins late, and does not have the state of the account before that. */
  readonly isUnread: boolean;
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
  const [first, end, beginsAt, newest] = rows[0] ?? [];
  if (typeof first !== "number" || typeof end !== "bigint") throw damaged("table history", "has no row");
  const isUnread = beginsAt !== 0 && newest === null;
  // The zero state changes no account, it makes them: it has no transactions.
  const isDropped = isUnread || (typeof newest === "number" && newest !== 0);
  return {
    records: rows.flatMap(([, , , , text]) => (typeof text === "string" ? [Buffer.from(text, "base64")] : [])),
    ...{ firstSeqno: first, endLt: end, isUnread },
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

/** A page that ends early: the transactions after it were dropped, or the account has no more. */
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
 * Each transaction names its predecessor, so a row that is missing or was changed breaks the chain. The first transaction of an account
 * that was deleted and made again has no predecessor.
 */
function linked(found: readonly ChainTransaction[], { fromLt, aboveLt }: PageRange): readonly ChainTransaction[] {
  for (const [index, { id, previous }] of found.entries()) {
    if (id.lt > fromLt || id.lt <= aboveLt) throw damaged(`transaction ${id.lt}`, "has another logical time");
    const next = found[index + 1]?.id;
    if (previous.lt === 0n) return found.slice(0, index + 1);
    if (next !== undefined && (next.lt !== previous.lt || !isEqual(next.hash, previous.hash)))
      throw damaged(`transaction ${previous.lt}`, "is not the predecessor that the next transaction names");
  }
  return found;
}

export function damaged(what: string, problem: string): PostgresStoreError {
  return new PostgresStoreError("damaged", `the index is damaged: ${what} ${problem}`);
}

/** The beginning of a partition. */
interface Floor {
  readonly seqno: number;
  /** Transactions of older partitions have lower logical times. */
  readonly lt: bigint;
}

/** Milliseconds after which the partitions are read again. An old map is right too, but leads into larger ranges. */
const MAX_AGE = 60_000;
const MASTERCHAIN = [-1, `{${-(2n ** 63n)}}`] as const;

/** Finds the partition with the transactions of a logical time, so that most reads look into one partition. */
export class PartitionMap {
  readonly #reads: Connection;
  readonly #lts = new Map<number, bigint>();
  /** Newest first. */
  #floors: readonly Floor[] = [];
  #loading: Promise<void> | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;

  constructor(reads: Connection) {
    this.#reads = reads;
  }

  /**
   * The steps, up to `at`, of the partition that was open at a logical time. Older ones have no transaction of this or a later time, and
   * newer ones few of an earlier time.
   */
  async around(lt: bigint, at: number): Promise<{ readonly first: number; readonly last: number }> {
    if (performance.now() - this.#loadedAt > MAX_AGE) {
      this.#loading ??= this.#load(at).finally(() => {
        this.#loading = undefined;
      });
      if (this.#floors.length === 0) await this.#loading;
      else this.#loading.catch(() => {});
    }
    let last = at;
    for (const floor of this.#floors) {
      if (floor.seqno > at) continue;
      if (floor.lt <= lt) return { first: floor.seqno, last };
      last = floor.seqno - 1;
    }
    return { first: 0, last };
  }

  async #load(at: number): Promise<void> {
    const rows = await this.#reads.rows(READ_BOUNDS, [], at);
    const bounds = rows.filter(([table]) => table === "transactions").map(([, text]) => String(text));
    const floors: Floor[] = [{ seqno: 0, lt: 0n }];
    for (const { from: seqno } of partitionsOf(bounds)) {
      const lt = seqno > 0 && seqno <= at ? await this.#endLt(seqno - 1, at) : undefined;
      if (lt !== undefined) floors.unshift({ seqno, lt });
    }
    this.#floors = floors;
    this.#loadedAt = performance.now();
  }

  async #endLt(seqno: number, at: number): Promise<bigint | undefined> {
    const known = this.#lts.get(seqno);
    if (known !== undefined) return known;
    const [record] = await this.#reads.records(selectBlockBySeqno, [...MASTERCHAIN, seqno, at], at);
    if (record === undefined) return undefined;
    const { endLt } = headerRecord.decode(record);
    this.#lts.set(seqno, endLt);
    return endLt;
  }
}

/**
 * Returns a function that throws a `DroppedHistoryError` if a block may be of a step before the first one of the index. Call it before the
 * block is read: steps may be added before the first one meanwhile.
 */
export function beginningOf(reads: Connection): (shard: ShardId, selector: BlockSelector, at: number) => Promise<void> {
  let isWhole = false;
  return async (shard, selector, at) => {
    if (isWhole) return;
    const [row = []] = await reads.rows(selectBegin, [], at);
    const [first, end, beginsAt, tips] = row;
    // No step is before the zero state.
    isWhole = beginsAt === 0;
    if (isWhole || typeof tips !== "string") return;
    const tip = tipsRecord.decode(Buffer.from(tips, "base64")).find(({ id }) => containsPrefix(id, shard));
    // A zero state is not a block.
    if (tip && tip.id.seqno > 0 && isReached({ ...tip, seqno: tip.id.seqno }, selector))
      throw new DroppedHistoryError(Number(first), BigInt(String(end)));
  };
}
