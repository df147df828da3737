/** Stops processes that write an index at chosen points. */
import { migrate } from "@chain-query/postgres-store";
import { inDatabase } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import postgres from "postgres";

/**
 * Points in a transaction at which a process can be held: when it writes the rows of a step, moves the head to a step, or moves the first step
 * of the history.
 */
const points = {
  rows: { key: 1, event: "INSERT ON transactions", from: "NEW.mc_seqno", to: "NEW.mc_seqno" },
  head: { key: 2, event: "UPDATE OF seqno ON head", from: "OLD.seqno + 1", to: "NEW.seqno" },
  history: { key: 3, event: "UPDATE OF first_seqno ON history", from: "NEW.first_seqno", to: "NEW.first_seqno" },
} as const;
type HoldPoint = keyof typeof points;

/** A template of an index without a chain, in which `hold` works. */
export const heldIndex = {
  name: "index_with_holds",
  async fill(url: string): Promise<void> {
    await migrate({ url });
    await inDatabase(url, async (sql) => {
      for (const [point, { key, event, from, to }] of Object.entries(points))
        await sql.unsafe(`
        CREATE FUNCTION wait_${point}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          FOR step IN ${from} .. ${to} LOOP PERFORM pg_advisory_xact_lock_shared(${key}, step); END LOOP;
          RETURN NEW;
        END $$;
        CREATE TRIGGER wait_${point} BEFORE ${event} FOR EACH ROW EXECUTE FUNCTION wait_${point}()`);
    });
  },
};

/** A point at which processes wait. */
interface Hold extends AsyncDisposable {
  /** Whether a process waits. */
  isReached(): Promise<boolean>;
  release(): Promise<void>;
}

/** Holds each process that reaches a point of an index, until the release or a restart of the server. */
export async function hold(url: string, point: HoldPoint, step: number): Promise<Hold> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const { key } = points[point];
  await sql`SELECT pg_advisory_lock(${key}::int4, ${step}::int4)`;
  const isReached = async (): Promise<boolean> => {
    const waiting =
      await sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid = ${key} AND objid = ${step}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    return waiting.length > 0;
  };
  const release = (): Promise<void> => sql.end({ timeout: 1 });
  return {
    isReached,
    release,
    [Symbol.asyncDispose]: release,
  };
}

/** Resolves when PostgreSQL has closed all other connections to a database. */
export function alone(url: string): Promise<void> {
  return inDatabase(url, async (sql) => {
    const others = () => sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend'`;
    await until(others, (left) => left.length === 0);
  });
}
