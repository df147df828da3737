/** Locks of partitions, and the limits that are in force while one is closed. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Queryable, query } from "./client.ts";
import { dropLimits, READ_LIMITS } from "./postgresql-statements.ts";
import { codeOf } from "./store-error.ts";
import { PostgresStoreError } from "./types.ts";

/** A lock timeout, the statement timeout of a lock, a deadlock. */
const LOCKED = new Set(["55P03", "57014", "40P01"]);

/** Removes limits that splits have left. Returns whether there are others. */
export async function removeLimits(
  sql: Queryable,
  patience: number,
  isRemoved: (name: string) => boolean = () => true,
): Promise<boolean> {
  const limits = await query<{ table: string; name: string }>(sql, READ_LIMITS);
  const removed = limits.filter(({ name }) => isRemoved(name));
  if (removed.length > 0) await patiently(() => sql.unsafe(dropLimits(removed)), patience);
  return removed.length < limits.length;
}

/** Tries until a lock is free. Others have a turn in between. */
export async function patiently(
  attempt: () => Promise<unknown>,
  patience: number,
  afterFailure: () => Promise<unknown> = async () => {},
): Promise<void> {
  const end = performance.now() + patience;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (cause) {
      if (!LOCKED.has(codeOf(cause) ?? "")) throw cause;
      if (performance.now() >= end)
        throw new PostgresStoreError("slow", "transactions and account_versions are in use, by a long query or a vacuum");
      await afterFailure();
      await sleep(100 + 200 * Math.random());
    }
  }
}
