import type { Terminal } from "@chain-query/command-line";
import { migrate, SCHEMA_VERSION } from "@chain-query/postgres-store";
import type { DatabaseCommand } from "./arguments.ts";

/** Makes the tables, or brings them up to date. */
export async function migrateDatabase({ postgres }: DatabaseCommand, { stdout }: Terminal): Promise<number> {
  const done = await migrate({ url: postgres });
  stdout.write(`schema version ${SCHEMA_VERSION}: ${done.length === 0 ? "nothing to do" : `ran ${done.length} migrations`}\n`);
  return 0;
}
