/** The record in the database that validators have signed two chains. */
import { connect, query } from "./database/client.ts";
import { INSERT_SIGNED_FORK, selectSignedFork } from "./database/statements.ts";
import { mapErrors } from "./database/store-error.ts";
import { requireSchema } from "./migrate.ts";
import type { PostgresConnection } from "./types.ts";

/** Every method rejects with a `PostgresStoreError`. */
export interface SignedForkTable {
  /** How an operator removes the record. */
  readonly removal: string;
  /** Undefined if there is no record. */
  read(): Promise<string | undefined>;
  /** Does nothing if there is one. */
  write(record: string): Promise<void>;
  close(): Promise<void>;
}

/** How an operator removes the record. */
export const signedForkRemoval = "run DELETE FROM signed_fork in the database of the index";

/**
 * Opens the record. Nothing is sent before the first call.
 *
 * @example
 * const forks = openSignedFork({ url: "postgres://indexer@localhost/chain" });
 * if ((await forks.read()) !== undefined) console.log(`validators have signed two chains; ${forks.removal}`);
 */
export function openSignedFork(connection: PostgresConnection): SignedForkTable {
  const sql = connect({ ...connection, connections: 1 }, "writer");
  const mapped = mapErrors(connection);
  let isChecked = false;
  const check = async () => {
    if (!isChecked) await requireSchema(sql, connection);
    isChecked = true;
  };
  return {
    removal: signedForkRemoval,
    read: mapped(async () => {
      await check();
      return (await query<{ record: string }>(sql, selectSignedFork))[0]?.record;
    }),
    write: mapped(async (record) => {
      await check();
      await query(sql, INSERT_SIGNED_FORK, [record]);
    }),
    close: () => sql.end({ timeout: 1 }),
  };
}
