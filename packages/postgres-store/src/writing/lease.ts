/**
 * The lease of an index: one process at a time writes its newest steps, and one adds or drops old ones. It is a row for each of the two:
 *
 *   free  → held   A process takes it: the epoch grows.
 *   held  → held   Its holder renews it, four times in `leaseSeconds`. The row shows the state of the holder.
 *         → free   Its holder releases it, or does not renew it for `leaseSeconds`.
 *         → held   A process with the name of the holder takes it at once.
 *
 * A holder finds out that it lost the lease by a renewal or a write, which are for its epoch only.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { StepGenesis } from "@chain-query/format/store";
import { connect, type Database, query } from "../database/client.ts";
import { isBegun } from "../database/head-record.ts";
import { READ_LEASE, RELEASE_LEASE, RENEW_LEASE, TAKE_LEASE } from "../database/statements.ts";
import { storeError } from "../database/store-error.ts";
import { openTransactions, type Transactions } from "../database/transactions.ts";
import { requireSchema } from "../migrate.ts";
import { removeLimits } from "../partitions/partitions.ts";
import { type PostgresConnection, PostgresStoreError } from "../types.ts";

/** Options of a writer. */
export interface WriterOptions {
  /** Name of the process in messages of others. A process with the same name may take over the lease at once. Default: unique. */
  readonly holder?: string;
  /** Seconds after which another process may take the lease of a writer that ended without closing; default: 20. */
  readonly leaseSeconds?: number;
  /** Of the chain to be written. An index of another chain is refused even while another process has the lease. */
  readonly genesis?: StepGenesis;
  /** The state of the writer, for `readIndexStatus`. Stored with each renewal of the lease. */
  readonly state?: () => string;
}

/**
 * The right to write: a row that its holder renews. The lease avoids needless work; the epoch in the rows is a fencing token, which
 * rejects late writes of an earlier holder.
 */
export interface Lease {
  /** Grows with each new holder. */
  readonly epoch: bigint;
  /** Whether another writer was seen to have taken the lease. */
  readonly isLost: boolean;
  /** Lets another writer take the lease at once. */
  release(): Promise<void>;
}

/** Default of `leaseSeconds`. */
export const LEASE_SECONDS = 20;
/** Milliseconds to wait for locks of partitions. If a constraint remains, a step fails, and the writer is opened again. */
const LOCK_TIMEOUT = 1_000;
const WRITER_NAME = "chain-query";
const WRITER_NAMES = `${WRITER_NAME} %`;

/**
 * Ends the transactions of writers whose process or machine is stopped: other writers would wait for their rows. No timeout of PostgreSQL
 * ends a COPY that waits for its client. $1: a pattern of connection names, $2: the seconds of a lease.
 */
const END_STOPPED = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND application_name LIKE $1 AND pid <> pg_backend_pid()
  AND xact_start IS NOT NULL AND wait_event = 'ClientRead' AND state_change < now() - $2::int4 * INTERVAL '0.5 second'`;

/** Opens connections, and takes a lease on them. */
export async function openWithLease<T>(
  given: PostgresConnection,
  name: string,
  {
    holder = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`,
    leaseSeconds = LEASE_SECONDS,
    genesis,
    state,
  }: WriterOptions,
  open: (sql: Database, transactions: Transactions, lease: Lease, close: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const connection = { applicationName: `${WRITER_NAME} ${name}`, ...given };
  // Apart from the transactions' connection: renews the lease and reads while a transaction is open.
  const sql = connect({ ...connection, connections: 1 }, "writer");
  const transactions = openTransactions(connection, "writer");
  let lease: Lease | undefined;
  const close = async (): Promise<void> => {
    await lease?.release();
    await Promise.all([transactions.end(), sql.end({ timeout: 1 })]);
  };
  try {
    await requireSchema(sql, connection);
    if (genesis !== undefined) await isBegun(sql, genesis);
    // Also the other writer, which may have locked rows of cells that this one adds. A role without the right to end them may write.
    const endStopped = () => query(sql, END_STOPPED, [WRITER_NAMES, leaseSeconds]).catch(() => {});
    lease = await takeLease(sql, name, holder, leaseSeconds, endStopped, state);
    await endStopped();
    // From a process that was killed while it closed a partition. A role that does not own the tables may write without this.
    await removeLimits(sql, LOCK_TIMEOUT).catch(() => {});
    return await open(sql, transactions, lease, close);
  } catch (cause) {
    await close();
    throw storeError(cause, connection);
  }
}

/** Milliseconds. If the database does not respond, the lease expires. */
const RELEASE_TIMEOUT_MS = 2_000;

/** @throws PostgresStoreError if another writer has the lease. */
async function takeLease(
  sql: Database,
  name: string,
  holder: string,
  seconds: number,
  onRenewal: () => Promise<unknown>,
  state: () => string | null = () => null,
): Promise<Lease> {
  const [row] = await query<{ epoch: bigint }>(sql, TAKE_LEASE, [name, holder, seconds]);
  if (!row) {
    const [other] = await query<{ holder: string }>(sql, READ_LEASE, [name]);
    throw new PostgresStoreError("busy", `${other?.holder ?? "another process"} writes this index`);
  }
  const { epoch } = row;
  let isLost = false;
  const renew = async (): Promise<void> => {
    const { count } = await query(sql, RENEW_LEASE, [name, epoch, state()]);
    isLost ||= count === 0;
    await onRenewal();
  };
  // A failed renewal does not mean that the lease is lost; the next write finds out.
  const timer = setInterval(() => renew().catch(() => {}), (seconds * 1000) / 4).unref();
  return {
    epoch,
    get isLost() {
      return isLost;
    },
    release: async () => {
      clearInterval(timer);
      const released = query(sql, RELEASE_LEASE, [name, epoch]).catch(() => {});
      await Promise.race([released, setTimeout(RELEASE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
