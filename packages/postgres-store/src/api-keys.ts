/** API keys in the database, which all instances of the service accept. */
import { connect, type Parameter, query } from "./connection.ts";
import { FIND_KEY, FIND_REVOKED, INSERT_KEY, LIST_KEYS, REVOKE_KEY, REVOKED_KEYS } from "./key-statements.ts";
import { storeError } from "./store-error.ts";
import type { PostgresConnection } from "./types.ts";

/** A key as it is stored. The secret is not: only its hash. */
export interface ApiKeyRow {
  readonly id: string;
  readonly secretHash: Uint8Array;
  readonly owner: string;
  /** Requests per second; 0 for no limit. */
  readonly rate: number;
  /** The network that the key is for; any network if absent. */
  readonly network?: string;
  /** Unix seconds. */
  readonly created: number;
}

/** Reads and changes API keys. Every method rejects with a `PostgresStoreError`. */
export interface ApiKeyTable {
  /** Undefined if the key was never added, or has been revoked. */
  find(id: string): Promise<ApiKeyRow | undefined>;
  /** The ids of keys that were revoked in the last seconds, by the database's clock. */
  revokedWithin(seconds: number): Promise<readonly string[]>;
  /** All keys that are not revoked, oldest first. */
  list(): Promise<readonly ApiKeyRow[]>;
  /** Adds a key, and returns it with its time, which is the database's. */
  add(key: Omit<ApiKeyRow, "created">): Promise<ApiKeyRow>;
  /** The row stays: a key that was revoked before is another answer than one that was never added. */
  revoke(id: string): Promise<"revoked" | "revoked before" | "unknown">;
  /**
   * Opens another connection, for one that may lead nowhere, and rejects what waits on it. Does nothing, and returns false, until the
   * present connection has answered something: opening it has a time limit.
   */
  reopen(): boolean;
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
  const open = () => connect({ ...connection, connections: 1 }, role);
  let sql = open();
  let hasAnswered = false;
  const run = async (statement: string, parameters: readonly Parameter[]) => {
    const asked = sql;
    try {
      const rows = await query<Row>(asked, statement, parameters);
      if (asked === sql) hasAnswered = true;
      return rows;
    } catch (error) {
      throw storeError(error, connection);
    }
  };
  return {
    async find(id) {
      const [row] = await run(FIND_KEY, [id]);
      return row && keyOf(row);
    },
    revokedWithin: async (seconds) => (await run(REVOKED_KEYS, [seconds])).map(({ id }) => id),
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
    reopen() {
      if (!hasAnswered) return false;
      const former = sql;
      sql = open();
      hasAnswered = false;
      former.end({ timeout: 0 }).catch(() => {});
      return true;
    },
    close: () => sql.end({ timeout: 1 }),
  };
}

interface Row {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly secret_hash: Uint8Array;
  readonly owner: string;
  readonly rate: number;
  readonly network: string | null;
  readonly created: bigint;
}

function keyOf({ id, secret_hash, owner, rate, network, created }: Row): ApiKeyRow {
  return { id, secretHash: secret_hash, owner, rate, created: Number(created), ...(network === null ? {} : { network }) };
}
