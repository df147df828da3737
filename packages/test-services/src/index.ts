/** Starts real servers for tests. */

/** A server that a test started. */
export interface RunningServer extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** Ends the server and removes its files. Can be called again. */
  stop(): Promise<void>;
}

/** A PostgreSQL server on a free port of 127.0.0.1, with files in a temporary folder. */
export interface PostgresServer extends RunningServer {
  /** Such as 15 or 18. */
  readonly major: number;
  /** Makes an empty database, and returns its URL. */
  createDatabase(): Promise<string>;
  /** The same database on another server: a standby has all databases of its primary. */
  urlOf(database: string): string;
  /** Starts a streaming replica of this server. */
  startStandby(): Promise<PostgresServer>;
  /** Stops the server as `pg_ctl stop -m` does, and starts it again on the same port. */
  restart(mode: "fast" | "immediate"): Promise<void>;
  /** Makes a standby a primary. */
  promote(): Promise<void>;
}

/** A Redis server on a free port of 127.0.0.1 without persistence. */
export interface RedisServer extends RunningServer {
  readonly url: string;
}

/** Why a server is not available on this machine, for the reason of a skipped test. */
export interface Unavailable {
  readonly reason: string;
}
