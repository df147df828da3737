import { setTimeout } from "node:timers/promises";
import { type Database, query } from "../client.ts";
import { PostgresStoreError } from "../types.ts";
import { READ_LEASE, RELEASE_LEASE, RENEW_LEASE, TAKE_LEASE } from "./write-statements.ts";

/** The right to write: a row that its holder renews. It saves work only; what keeps writers apart is that rows have the epoch. */
export interface Lease {
  /** Grows with each new holder. */
  readonly epoch: bigint;
  /** Whether another writer was seen to have taken the lease. */
  readonly isLost: boolean;
  /** Lets another writer take the lease at once. */
  release(): Promise<void>;
}

/** Without an answer of the database, the lease expires. */
const RELEASE_TIMEOUT_MS = 2_000;

/**
 * @param onRenewal - Called with each renewal.
 * @throws PostgresStoreError if another writer has the lease.
 */
export async function takeLease(
  sql: Database,
  name: string,
  holder: string,
  seconds: number,
  onRenewal: () => Promise<unknown>,
): Promise<Lease> {
  const [row] = await query<{ epoch: bigint }>(sql, TAKE_LEASE, [name, holder, seconds]);
  if (!row) throw new PostgresStoreError("busy", `${(await holderOf(sql, name)) ?? "another process"} writes this index`);
  const { epoch } = row;
  let isLost = false;
  const renew = async (): Promise<void> => {
    const { count } = await query(sql, RENEW_LEASE, [name, epoch]);
    isLost ||= count === 0;
    await onRenewal();
  };
  // A database that does not answer is not a lost lease: the next write tells.
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

async function holderOf(sql: Database, name: string): Promise<string | undefined> {
  const [row] = await query<{ holder: string }>(sql, READ_LEASE, [name]);
  return row?.holder;
}
