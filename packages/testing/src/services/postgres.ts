/** Starts PostgreSQL servers and their streaming replicas. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { copyDataFolder, emptyInBackups } from "./data-folder.ts";
import { findPostgres, type PostgresPrograms } from "./postgres-programs.ts";
import { type RunningServer, ServerProcess, serversFolder, testCache } from "./server.ts";

/** Databases on a PostgreSQL server. */
export interface PostgresDatabases {
  /** Such as 15 or 18. */
  readonly major: number;
  /** Makes a database, empty or a copy of a template, and returns its URL. */
  createDatabase(template?: DatabaseTemplate): Promise<string>;
  /** The URL on this server of a database, named or given by its URL on another one. A standby has all databases of its primary. */
  urlOf(database: string): string;
  /** The number of open connections to a database, named or given by its URL. */
  connections(database: string): Promise<number>;
}

/** A template of databases. */
export interface DatabaseTemplate {
  /** Another name for other contents. */
  readonly name: string;
  /** Fills the template, once for each server. Closes its connections. */
  fill(url: string): Promise<void>;
}

/** A PostgreSQL server on a free port of 127.0.0.1, with files in memory or in a temporary folder. */
export interface PostgresServer extends RunningServer, PostgresDatabases {
  /** Starts a streaming replica of this server, with more settings of postgresql.conf. */
  startStandby(more?: PostgresOptions["settings"]): Promise<PostgresServer>;
  /** Stops the server like `pg_ctl stop -m`, and starts it again on the same port. */
  restart(mode: "fast" | "immediate"): Promise<void>;
  /** Makes a standby a primary. */
  promote(): Promise<void>;
  /** Makes a standby lag: received changes stay invisible until `resumeReplay`. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
}

/** Options of `startPostgres`. */
export interface PostgresOptions {
  /** npm's PostgreSQL, also if the machine has one. */
  readonly from?: "npm";
  /** Whether commits reach the disk. Default: false. */
  readonly fsync?: boolean;
  /** More settings of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** Starts a PostgreSQL server. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const programs = await findPostgres(options.from);
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    shared_buffers: "32MB",
    max_connections: 100,
    // Enough for a standby that is copied while the primary writes.
    wal_keep_size: "512MB",
    max_wal_size: "1GB",
    // How soon a standby connects again after its primary was restarted.
    wal_retrieve_retry_interval: "100ms",
    fsync: options.fsync ? "on" : "off",
    ...options.settings,
  };
  return run(programs, settings, async (data, user) => copyDataFolder(await initialised(programs), data, user));
}

/** Small segments of the write-ahead log, because each server copies one. */
const initdbOptions = [
  ...["-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C", "--wal-segsize=1"],
  ...["--no-sync", "--no-instructions"],
];

/** The data folder of a server that never ran. It is made once by each user and kept, because initdb takes seconds. */
async function initialised({ bin, major, user }: PostgresPrograms): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([bin, initdbOptions, process.getuid?.()]));
  const folder = join(testCache(), `postgres-${major}-${hash.digest("hex").slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  await mkdir(testCache(), { recursive: true });
  const made = await mkdtemp(join(await serversFolder(), "chain-query-postgres-"));
  const copy = await mkdtemp(join(testCache(), "unfinished-"));
  try {
    if (user !== undefined) await chown(made, user.uid, user.gid);
    const data = join(made, "data");
    await promisify(execFile)(join(bin, "initdb"), ["-D", data, ...initdbOptions], { cwd: made, ...user });
    await cp(data, join(copy, "data"), { recursive: true });
    await rename(join(copy, "data"), folder).catch((error: unknown) => {
      // Another process may have made it in the meantime.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await Promise.all([made, copy].map((each) => rm(each, { recursive: true })));
  }
  return folder;
}

type Settings = Readonly<Record<string, string | number>>;

async function run(
  programs: PostgresPrograms,
  settings: Settings,
  fill: (data: string, user: PostgresPrograms["user"]) => Promise<void>,
): Promise<PostgresServer> {
  const server = await ServerProcess.create("postgres", { user: programs.user, endSignal: "SIGQUIT" });
  const data = join(server.folder, "data");
  const launch = (port: number) => {
    const lines = Object.entries({ ...settings, port }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    return server.launch({
      command: join(programs.bin, "postgres"),
      args: ["-D", data, ...lines],
      ready: ({ pid }) => acceptsConnections(data, pid),
    });
  };
  // PostgreSQL's processes share memory, so that a process killed by force would take the others with it, later: SIGQUIT ends all at once.
  const running = await server.run(launch, () => fill(data, programs.user));
  const { port } = running;
  const { administer, ...databases } = databasesOn({ port, major: programs.major });
  return Object.assign(running, databases, {
    async startStandby(more = {}) {
      return run(
        programs,
        { ...settings, primary_conninfo: `host=127.0.0.1 port=${port} user=postgres application_name=standby`, ...more },
        (copy, user) => administer((sql) => copyRunning(sql, data, copy, user)),
      );
    },
    async restart(mode: "fast" | "immediate") {
      await server.end(mode === "fast" ? "SIGINT" : "SIGQUIT");
      await running.start();
    },
    async promote() {
      const [row] = await administer((sql) => sql<{ promoted: boolean }[]>`SELECT pg_promote() AS promoted`);
      if (row?.promoted !== true) throw new Error("the standby was not promoted within 60 s");
    },
    async pauseReplay() {
      await administer(async (sql) => {
        await sql`SELECT pg_wal_replay_pause()`;
        // Replay stops after the current record.
        let paused = false;
        while (!paused) {
          const [row] = await sql<{ state: string }[]>`SELECT pg_get_wal_replay_pause_state() AS state`;
          paused = row?.state === "paused";
        }
      });
    },
    async resumeReplay() {
      await administer((sql) => sql`SELECT pg_wal_replay_resume()`);
    },
  });
}

/** The databases of a server that listens on a port of 127.0.0.1. */
export function databasesOn({ port, major }: { readonly port: number; readonly major: number }): PostgresDatabases & {
  administer<T>(task: (sql: postgres.Sql) => Promise<T>): Promise<T>;
} {
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${nameOf(database)}`;
  const administer = <T>(task: (sql: postgres.Sql) => Promise<T>) => inDatabase(urlOf("postgres"), task);
  return {
    major,
    urlOf,
    administer,
    async createDatabase(template) {
      const name = `test_${randomUUID().replaceAll("-", "")}`;
      await administer(async (sql) => {
        if (template === undefined) return sql`CREATE DATABASE ${sql(name)} STRATEGY FILE_COPY`;
        // Held by the session: other tests wait until the template is complete.
        await sql`SELECT pg_advisory_lock(hashtext(${template.name}))`;
        const made = await sql`SELECT FROM pg_database WHERE datname = ${template.name} AND datistemplate`;
        if (made.length === 0) {
          await sql`DROP DATABASE IF EXISTS ${sql(template.name)} WITH (FORCE)`;
          await sql`CREATE DATABASE ${sql(template.name)}`;
          await template.fill(urlOf(template.name));
          await sql`ALTER DATABASE ${sql(template.name)} IS_TEMPLATE true`;
        }
        return sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template.name)} STRATEGY FILE_COPY`;
      });
      return urlOf(name);
    },
    async connections(database) {
      const [row] = await administer(
        (sql) => sql<{ n: number }[]>`SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = ${nameOf(database)}`,
      );
      return row?.n ?? 0;
    },
  };
}

/** Runs statements in a database, on one connection. */
export async function inDatabase<T>(url: string, task: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, backoff: () => 0.05, onnotice: () => undefined });
  try {
    return await task(sql);
  } finally {
    await sql.end();
  }
}

function nameOf(database: string): string {
  return database.includes("://") ? new URL(database).pathname.slice(1) : database;
}

/** Copies the data of a running server for a standby: "Making a Base Backup Using the Low Level API" of PostgreSQL's manual. */
async function copyRunning(sql: postgres.Sql, data: string, copy: string, user: PostgresPrograms["user"]): Promise<void> {
  await sql`SELECT pg_backup_start('standby', fast => true)`;
  await copyDataFolder(data, copy, user, emptyInBackups);
  const [backup] = await sql<{ labelfile: string }[]>`SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)`;
  if (backup === undefined) throw new Error("pg_backup_stop returned no row");
  for (const [name, text] of [
    ["backup_label", backup.labelfile],
    ["standby.signal", ""],
  ] as const) {
    await writeFile(join(copy, name), text);
    if (user !== undefined) await chown(join(copy, name), user.uid, user.gid);
  }
}

/** Waits like `pg_ctl start -w`: postmaster.pid has the process on its first line and its state on the eighth. */
async function acceptsConnections(data: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  return lines[0] === String(pid) && lines[7]?.trim() === "ready";
}
