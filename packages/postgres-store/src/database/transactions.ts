import type { PostgresConnection } from "../types.ts";
import { connect, type Queryable } from "./client.ts";
import { isLostConnection, lostConnection } from "./store-error.ts";

/** Milliseconds until a connection that does not respond counts as lost. TCP itself gives up after a quarter of an hour. */
const LONGEST_STATEMENT = 60_000;

/** Runs transactions one after another on a separate connection. */
export interface Transactions {
  /** Commits, or rolls back and throws the error of the body. */
  run<T>(body: (sql: Queryable) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/**
 * Replaces `begin` of the client library, which ends the process if the connection is lost within a transaction: it sends ROLLBACK without
 * a socket (porsager/postgres#1208). A lost connection is discarded and never reopened, because a waiting statement would run on the new
 * connection outside of the transaction.
 */
export function openTransactions(
  connection: PostgresConnection,
  role: "writer" | "migration",
  longestStatement: number = LONGEST_STATEMENT,
): Transactions {
  let current: Connected | undefined;
  let running: Promise<unknown> = Promise.resolve();

  const runNow = async <T>(body: (sql: Queryable) => Promise<T>): Promise<T> => {
    current ??= open(connection, role, role === "writer" ? longestStatement : undefined);
    const { queryable, isLost, nextLoss, ended, discard } = current;
    const lost = nextLoss();
    let hasBegun = false;
    const transaction = async (): Promise<T> => {
      const begin = async (): Promise<void> => {
        // `execute` sends BEGIN now, before the first statement of the body. A query that is only awaited is sent later.
        await queryable.unsafe("BEGIN").execute();
        hasBegun = true;
      };
      // BEGIN comes first: its error, such as for a wrong password, is the cause of the later ones.
      const [, result] = await Promise.all([begin(), body(queryable)]);
      await queryable.unsafe("COMMIT");
      return result;
    };
    try {
      // The client library never rejects a COPY whose connection is lost right after its start.
      return await Promise.race([transaction(), lost]);
    } catch (cause) {
      const isUsable =
        hasBegun &&
        !isLost() &&
        !isLostConnection(cause) &&
        (await Promise.race([rolledBack(queryable), lost.catch(() => false)]));
      if (!isUsable) {
        current = undefined;
        await discard();
      }
      throw cause;
    } finally {
      ended();
    }
  };

  return {
    run: (body) => {
      const result = running.then(() => runNow(body));
      running = result.catch(() => {});
      return result;
    },
    end: async () => {
      await running;
      await current?.discard();
    },
  };
}

interface Connected {
  readonly queryable: Queryable;
  isLost(): boolean;
  /** Rejects when the connection is lost. Each transaction needs its own promise, because a promise keeps all of its reactions in memory. */
  nextLoss(): Promise<never>;
  /** Stops the timeout of the current statement. */
  ended(): void;
  discard(): Promise<void>;
}

function open(connection: PostgresConnection, role: "writer" | "migration", longestStatement?: number): Connected {
  let isLost = false;
  let rejectCurrent: (cause: Error) => void = () => {};
  const lose = (): void => {
    isLost = true;
    // After the error of the client library, which is more specific.
    setImmediate(() => rejectCurrent(lostConnection()));
  };
  const sql = connect({ ...connection, connections: 1 }, role, lose, true);
  let deadline: NodeJS.Timeout | undefined;
  return {
    isLost: () => isLost,
    nextLoss: () => {
      const { promise, reject } = Promise.withResolvers<never>();
      promise.catch(() => {});
      rejectCurrent = reject;
      return promise;
    },
    ended: () => clearTimeout(deadline),
    discard: () => sql.end({ timeout: 1 }),
    queryable: {
      unsafe: (...args) => {
        if (isLost) throw lostConnection();
        clearTimeout(deadline);
        if (longestStatement !== undefined) deadline = setTimeout(lose, longestStatement).unref();
        return sql.unsafe(...args);
      },
    },
  };
}

async function rolledBack(sql: Queryable): Promise<boolean> {
  try {
    await sql.unsafe("ROLLBACK");
    return true;
  } catch {
    return false;
  }
}
