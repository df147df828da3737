/** API keys in the database, which all instances of the service accept. */
import { connect, type Parameter } from "./client.ts";
import { FIND_KEY, FIND_REVOKED, INSERT_KEY, LIST_KEYS, REVOKE_KEY, REVOKED_KEYS } from "./statements.ts";
import { storeError } from "./store-error.ts";
import type { ApiKeyRow, PostgresConnection } from "./types.ts";

/** Reads and changes API keys. Every method rejects with a `PostgresStoreError`. */
export interface ApiKeyTable {
  /** Undefined if the key was never added, or has been revoked. */
  find(id: string): Promise<ApiKeyRow | undefined>;
  /** The ids of keys that were revoked in the last seconds, by the database's clock. */
  revokedWithin(seconds: number): Promise<readonly string[]>;
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
 * @param role - Readers cannot change keys, and have a statement timeout.
 *
 * @example
 * ```ts
 * const keys = openApiKeys({ url: "postgres://reader@localhost/chain" }, "reader");
 * (await keys.find("4453aa152052"))?.owner; // "alice"
 * ```
 */
export function openApiKeys(connection: PostgresConnection, role: "reader" | "writer"): ApiKeyTable {
  const sql = connect({ ...connection, connections: 1 }, role);
  const run = async (statement: string, parameters: readonly Parameter[]) => {
    try {
      return await sql.unsafe(statement, [...parameters], { prepare: true }).values();
    } catch (error) {
      throw storeError(error, connection);
    }
  };
  return {
    async find(id) {
      const [row] = await run(FIND_KEY, [id]);
      return row && keyOf(row);
    },
    revokedWithin: async (seconds) => (await run(REVOKED_KEYS, [seconds])).map(([id]) => String(id)),
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
