import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { connect, type Database, query } from "../client.ts";
import { requireSchema } from "../migrate.ts";
import { removeLimits } from "../partition-limits.ts";
import { END_STOPPED } from "../postgresql-statements.ts";
import { storeError } from "../store-error.ts";
import { openTransactions, type Transactions } from "../transactions.ts";
import type { PostgresConnection } from "../types.ts";
import type { Publish } from "./genesis.ts";
import { type Lease, takeLease } from "./lease.ts";

/** Options of a writer. */
export interface WriterOptions {
  /** Name of the process in messages of others; the same name may take over the lease at once. Default: unique. */
  readonly holder?: string;
  /** How long a writer that ended without closing keeps others out; default: 20. */
  readonly leaseSeconds?: number;
  /**
   * `atomic` (default): rows and head in one transaction. `two-phase`: the head after the rows, for engines whose transactions on
   * several shards are not seen all at once.
   */
  readonly publish?: Publish;
}

const LEASE_SECONDS = 20;
/** Milliseconds. A limit that is in use is removed when the writer is opened again, after the first step that it refuses. */
const LIMIT_PATIENCE = 1_000;
const WRITER_NAME = "chain-query";
const WRITER_NAMES = `${WRITER_NAME} %`;

/** Opens connections, and takes a lease on them. */
export async function openWithLease<T>(
  given: PostgresConnection,
  name: string,
  { holder = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`, leaseSeconds = LEASE_SECONDS }: WriterOptions,
  open: (sql: Database, transactions: Transactions, lease: Lease) => Promise<T>,
): Promise<T> {
  const connection = { applicationName: `${WRITER_NAME} ${name}`, ...given };
  // Beside the transactions: renews the lease, and reads.
  const sql = connect({ ...connection, connections: 1 }, "writer");
  const transactions = openTransactions(connection, "writer");
  let lease: Lease | undefined;
  try {
    await requireSchema(sql);
    // Also those of other ranges: they may hold rows of cells that this writer adds too. Not every engine can do this.
    const endStopped = () => query(sql, END_STOPPED, [WRITER_NAMES, leaseSeconds]).catch(() => {});
    lease = await takeLease(sql, name, holder, leaseSeconds, endStopped);
    await endStopped();
    // Of a process that was killed while it closed a partition: no step above is written. Not every engine or user can do this.
    await removeLimits(sql, LIMIT_PATIENCE).catch(() => {});
    return await open(sql, transactions, lease);
  } catch (cause) {
    await lease?.release();
    await Promise.all([transactions.end(), sql.end({ timeout: 1 })]);
    throw storeError(cause, connection);
  }
}
