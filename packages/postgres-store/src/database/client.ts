/** The only file that imports the database's client. */
import { createConnection, type Socket } from "node:net";
import postgres from "postgres";
import { type PostgresConnection, PostgresStoreError } from "../types.ts";
import { parseDatabaseUrl, redactUrl } from "./connection-url.ts";

/** Connections to a database. Queries are pipelined. */
export type Database = postgres.Sql<{ bigint: bigint }>;
/** Runs statements: a pool of connections, or a transaction on one of them. */
export type Queryable = Pick<Database, "unsafe">;
/** A parameter of a statement. */
export type Parameter = string | number | bigint | Uint8Array | null;
export type Row = Readonly<Record<string, unknown>>;
/** The rows, with `count` as the number of rows that the statement touched. */
export type PendingQuery<T extends Row> = postgres.PendingQuery<T[]>;

/** The purpose of a connection: readers cannot write, and have a statement timeout. */
export type Role = "reader" | "writer" | "migration";

const READER_TIMEOUT = 1_000;
/** Milliseconds that the transaction of a writer or migration may wait for its client, which sends rows that are ready. */
const WRITER_IDLE_TIMEOUT = 30_000;
/** Seconds to connect: a request asks another database after that, commands and indexers have time on a busy machine. */
const [REQUEST_CONNECT_TIMEOUT, CONNECT_TIMEOUT] = [2, 10];
/** Seconds between two attempts to connect. The library's default is up to 20, and queries wait as long. */
const LONGEST_BACKOFF = 0.5;
const READ_PROCESS = "SELECT pg_backend_pid()";

/** Milliseconds for a statement; 0 for no limit. */
export function statementTimeoutOf({ statementTimeout }: PostgresConnection, role: Role): number {
  return statementTimeout ?? (role === "reader" ? READER_TIMEOUT : 0);
}

/**
 * Opens connections. Nothing is sent before the first query; a lost connection is opened again by the next query.
 *
 * @param onClose - Called whenever a connection was closed, or could not be opened.
 * @param isOpenedOnce - Whether a connection that was closed is not opened again: its statements fail.
 * @throws RangeError if the URL is wrong.
 */
export function connect(
  options: PostgresConnection,
  role: Role,
  onClose: () => void = () => {},
  isOpenedOnce = false,
): Database {
  const { url, connections = 2, applicationName } = options;
  const { host, port, database, user, password, tls } = parseDatabaseUrl(url, process.env);
  const timeout = statementTimeoutOf(options, role);
  let opened = 0;
  const socket = (): Socket => {
    if (isOpenedOnce && ++opened > connections) throw Object.assign(new Error("closed"), { code: "CONNECTION_CLOSED" });
    return openSocket(host, port);
  };
  return postgres({
    ...(host.startsWith("/") ? { socket } : { host, port, socket }),
    database,
    user,
    password,
    ssl: tls,
    max: connections,
    connect_timeout: timeout > 0 && timeout <= READER_TIMEOUT ? REQUEST_CONNECT_TIMEOUT : CONNECT_TIMEOUT,
    backoff: (retries) => Math.min(2 ** retries / 50, LONGEST_BACKOFF),
    // The library would close a connection of a certain age, also between two statements of a transaction.
    max_lifetime: null,
    onclose: onClose,
    fetch_types: false,
    types: { bigint: postgres.BigInt },
    onnotice: () => {},
    connection: {
      application_name: applicationName ?? `chain-query ${role}`,
      // One plan for all parameters: planning again and again costs more than it saves, above all with partitions.
      plan_cache_mode: "force_generic_plan",
      jit: "off",
      ...(timeout > 0 && { statement_timeout: timeout }),
      ...(role !== "reader" && { idle_in_transaction_session_timeout: WRITER_IDLE_TIMEOUT }),
      ...(role === "reader" && { default_transaction_read_only: true }),
    },
  });
}

/**
 * Opens a socket that sends each packet at once. The library ends a COPY with a small packet of its own, which would wait 40 ms until
 * the database acknowledges the one before. Bytes that are written before the socket is connected are sent then.
 */
function openSocket(host: string, port: number): Socket {
  if (host.startsWith("/")) return createConnection({ path: `${host}/.s.PGSQL.${port}` });
  // The library reads the name for TLS from the socket.
  return Object.assign(createConnection({ host, port, noDelay: true }), { host });
}

/** Runs a statement, which is prepared at its first use on a connection. Values of int8 are bigints, values of bytea are Buffers. */
export function query<T extends Row = never>(
  sql: Queryable,
  text: string,
  parameters: readonly Parameter[] = [],
): PendingQuery<T> {
  return sql.unsafe<T[]>(text, [...parameters], { prepare: true });
}

/**
 * In transaction mode, a pooler sends each transaction of a session to another connection, or server: a head, and rows that it lacks.
 *
 * @throws PostgresStoreError of kind "refused" if a pooler in transaction mode is between this process and the database.
 */
export async function refuseTransactionPooler(sql: Queryable, connection: PostgresConnection): Promise<void> {
  const rows = await sql.unsafe(READ_PROCESS).values();
  // PostgreSQL names its process at the start of a session. A pooler names something else.
  if (rows[0]?.[0] === rows.state.pid) return;
  const sessions = [0, 1].map(() => connect({ ...connection, connections: 1 }, "reader"));
  try {
    const processes: unknown[] = [];
    // In this order, whether the pooler takes the last or the first used one of its idle connections.
    for (const session of [0, 1, 1, 0]) {
      const [[process] = []] = (await sessions[session]?.unsafe(READ_PROCESS).values()) ?? [];
      processes.push(process);
    }
    const [first, second, third, fourth] = processes;
    // In session mode, each session has a process of its own.
    if (first === fourth && second === third && first !== second) return;
  } finally {
    await Promise.all(sessions.map((session) => session.end({ timeout: 1 })));
  }
  const problem = "a pooler in transaction mode is in between: use pool_mode = session, or connect without the pooler";
  throw new PostgresStoreError("refused", `PostgreSQL at ${placeOf(connection)}: ${problem}`);
}

/** Where a connection leads, for messages. */
export function placeOf({ url }: PostgresConnection): string {
  return redactUrl(url);
}
