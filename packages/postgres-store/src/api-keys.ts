/** API keys in the database, which all instances of the service accept. */
import { connect, type Parameter } from "./database/client.ts";
import { FIND_REVOKED, INSERT_KEY, LIST_KEYS, REVOKE_KEY } from "./database/statements.ts";
import { mapErrors } from "./database/store-error.ts";
import type { ApiKeyRow, PostgresConnection } from "./types.ts";

/** Lists and changes API keys. Every method rejects with a `PostgresStoreError`. */
export interface ApiKeyTable {
  /** All keys that are not revoked, oldest first. */
  list(): Promise<readonly ApiKeyRow[]>;
  /** Adds a key, and returns it with its time of creation by the clock of the database. */
  add(key: Omit<ApiKeyRow, "created">): Promise<ApiKeyRow>;
  /** Keeps the row, so that a second call can tell a revoked key from an unknown one. */
  revoke(id: string): Promise<"revoked" | "revoked before" | "unknown">;
  close(): Promise<void>;
}

/**
 * Opens the keys. Nothing is sent before the first call.
 *
 * @example
 * ```ts
 * const keys = openApiKeys({ url: "postgres://keys@localhost/chain" });
 * await keys.revoke("4453aa152052"); // "revoked"
 * ```
 */
export function openApiKeys(connection: PostgresConnection): ApiKeyTable {
  const sql = connect({ ...connection, connections: 1 }, "writer");
  const run = mapErrors(connection)((statement: string, parameters: readonly Parameter[]) =>
    sql.unsafe(statement, [...parameters], { prepare: true }).values(),
  );
  return {
    list: async () => (await run(LIST_KEYS, [])).map(keyOf),
    async add({ id, secretHash, owner, rate, network = null }) {
      const [row] = await run(INSERT_KEY, [id, secretHash, owner, rate, network]);
      if (row === undefined) throw new Error("the database returned no key");
      return keyOf(row);
    },
    async revoke(id) {
      if ((await run(REVOKE_KEY, [id])).count > 0) return "revoked";
      return (await run(FIND_REVOKED, [id])).length > 0 ? "revoked before" : "unknown";
    },
    close: () => sql.end({ timeout: 1 }),
  };
}

/** The columns of a key, in the order of its statements. */
type Columns = readonly [
  id: string,
  secretHash: Uint8Array,
  owner: string,
  rate: number,
  network: string | null,
  created: bigint,
];

/** A key of a row, which is a list of its columns. */
export function keyOf(row: readonly unknown[]): ApiKeyRow {
  const [id, secretHash, owner, rate, network, created] = row as Columns;
  return { id, secretHash, owner, rate, created: Number(created), ...(network === null ? {} : { network }) };
}
