/** Starts clusters of PostgreSQL servers under Patroni, with an etcd. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { debianProgram, type Program, readableCopy } from "./debian.ts";
import { freePort } from "./ports.ts";
import { findPostgres, originOf, type PostgresPrograms } from "./postgres-programs.ts";
import { type RunningServer, ServerProcess, type Unavailable } from "./server.ts";

/** Where the parts of a member are. */
interface PatroniMember {
  readonly name: string;
  /** The port of PostgreSQL. */
  readonly port: number;
  /** The port of Patroni's REST API. */
  readonly restPort: number;
}

/** The files of a member, and the servers that it needs. */
export interface PatroniPlace extends PatroniMember {
  readonly dataFolder: string;
  readonly passwordFile: string;
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
  readonly etcdPort: number;
}

/** A PostgreSQL server and its Patroni. */
export interface PatroniNode extends PatroniMember {
  /** The last lines of Patroni and PostgreSQL since the start. */
  log(): Promise<string>;
  /** Ends all of its processes by SIGKILL, as if the machine had failed. */
  kill(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  /** Stops or continues all of its processes. */
  signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void>;
}

/** A cluster of PostgreSQL servers. */
export interface PatroniCluster extends AsyncDisposable {
  readonly nodes: readonly PatroniNode[];
  /** Waits until one node is the leader, and returns it. */
  leader(): Promise<PatroniNode>;
  /** Waits until there is a leader, all other nodes follow it, and one of them synchronously if Patroni demands it. */
  whole(): Promise<void>;
  /** Makes another node the leader, as `patronictl switchover` does. */
  switchover(): Promise<void>;
  /** Changes Patroni's dynamic configuration. */
  configure(changes: object): Promise<void>;
}

/** Options of `startPatroni`. */
export interface PatroniOptions {
  readonly nodes: number;
  /** The text of a member's patroni.yaml. */
  readonly configuration: (place: PatroniPlace) => string;
}

/** Milliseconds. */
const LONGEST_WAIT = 60_000;
const POLL_INTERVAL = 50;

/**
 * Starts an etcd and a cluster, with Debian's packages of both. PostgreSQL is the machine's, with `pg_basebackup` and `pg_rewind`.
 *
 * ```ts
 * const cluster = await startPatroni({ nodes: 3, configuration: ({ name, port, … }) => JSON.stringify({ scope: "chain", name, … }) });
 * if ("reason" in cluster) return skip(cluster.reason);
 * ```
 */
export async function startPatroni({ nodes: count, configuration }: PatroniOptions): Promise<PatroniCluster | Unavailable> {
  const [etcd, patroni] = await Promise.all([debianProgram("etcd"), debianProgram("patroni")]);
  if ("reason" in etcd) return etcd;
  if ("reason" in patroni) return patroni;
  const programs = await findPostgres(originOf(process.env["CHAIN_QUERY_TEST_POSTGRES"]));
  if (!existsSync(join(programs.bin, "pg_rewind"))) return { reason: `${programs.bin} has no pg_rewind` };
  const problem = await problemOf(patroni);
  if (problem !== undefined) return { reason: `patroni does not run: ${problem}` };

  await using cleanup = new AsyncDisposableStack();
  const { port: etcdPort } = cleanup.use(await startEtcd(etcd));
  const nodes: PatroniNode[] = [];
  for (let index = 1; index <= count; index++)
    nodes.push(cleanup.use(await startNode(`db${index}`, patroni, programs, etcdPort, configuration)));
  const withLogs = <Value>(waiting: Promise<Value>): Promise<Value> =>
    waiting.catch(async (error: Error) => {
      const logs = await Promise.all(nodes.map(async ({ name, log }) => `${name}:\n${await log()}`));
      throw new Error([error.message, ...logs].join("\n"));
    });
  const cluster: PatroniCluster = {
    nodes,
    leader: () => withLogs(eventually("leader", async () => (await nodesThatAre(nodes, "primary"))[0])),
    async whole() {
      const { restPort } = await cluster.leader();
      const wholeNow = () => isWhole(restPort, nodes.length).catch(() => false);
      await withLogs(eventually("whole cluster", async () => (await wholeNow()) || undefined));
    },
    async switchover() {
      const { name, restPort } = await cluster.leader();
      await callApi(restPort, "POST", "switchover", { leader: name });
    },
    configure: async (changes) => callApi((await cluster.leader()).restPort, "PATCH", "config", changes),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
  await cluster.whole();
  const started = cleanup.move();
  return cluster;
}

async function problemOf({ path, env }: Program): Promise<string | undefined> {
  const run = promisify(execFile)("python3", [path, "--version"], { env: { ...process.env, ...env } });
  return run.then(
    () => undefined,
    (error: Error) => error.message.trim().split("\n").at(-1),
  );
}

async function startEtcd(program: Program): Promise<RunningServer> {
  const server = await ServerProcess.create("etcd", { endSignal: "SIGKILL" });
  return server.run(async (port) => {
    const [clients, peers] = [port, await freePort()].map((each) => `http://127.0.0.1:${each}`);
    await server.launch({
      command: program.path,
      args: [
        ...[
          "--data-dir",
          join(server.folder, "data"),
          "--listen-client-urls",
          `${clients}`,
          "--advertise-client-urls",
          `${clients}`,
        ],
        ...[
          "--listen-peer-urls",
          `${peers}`,
          "--initial-advertise-peer-urls",
          `${peers}`,
          "--initial-cluster",
          `default=${peers}`,
        ],
      ],
      env: program.env,
      ready: () => isOk(`${clients}/health`),
    });
  });
}

async function startNode(
  name: string,
  patroni: Program,
  programs: PostgresPrograms,
  etcdPort: number,
  configuration: PatroniOptions["configuration"],
): Promise<PatroniNode & AsyncDisposable> {
  const { user } = programs;
  const server = await ServerProcess.create("patroni", { user, endSignal: "SIGTERM" });
  const [dataFolder, file] = [join(server.folder, "data"), join(server.folder, "patroni.yaml")];
  const port = await freePort();
  let program = patroni;
  const prepare = async () => {
    program = await readableCopy(patroni, join(server.folder, "packages"));
  };
  const launch = async (restPort: number) => {
    const passwordFile = join(server.folder, "pgpass");
    await writeFile(file, configuration({ name, port, restPort, dataFolder, passwordFile, programs: programs.bin, etcdPort }));
    if (user !== undefined) await chown(file, user.uid, user.gid);
    await server.launch({
      command: "python3",
      args: [program.path, file],
      env: program.env,
      ready: () => isOk(`http://127.0.0.1:${restPort}/liveness`),
    });
  };
  const running = await server.run(launch, prepare);
  /** Patroni comes first: it would start a PostgreSQL that has ended. */
  const processes = async () => [running.pid, ...(await postgresProcesses(dataFolder))];
  const signal = async (name: NodeJS.Signals) => {
    for (const pid of await processes()) if (isRunning(pid)) process.kill(pid, name);
  };
  const kill = async () => {
    await signal("SIGKILL");
    await running.kill();
  };
  return {
    ...{ name, port, restPort: running.port, kill, start: () => running.start() },
    log: async () => (await readFile(join(server.folder, "log"), "utf8")).slice(-2000),
    signal,
    async [Symbol.asyncDispose]() {
      await server.end("SIGKILL");
      // Ends all processes of PostgreSQL, and frees what they share.
      const [postmaster] = await postgresProcesses(dataFolder);
      if (postmaster !== undefined) {
        process.kill(postmaster, "SIGCONT");
        process.kill(postmaster, "SIGQUIT");
        await eventually("end of PostgreSQL", () => !isRunning(postmaster) || undefined);
      }
      await running.stop();
    },
  };
}

/** The first process of PostgreSQL, and its children; none if it does not run. */
async function postgresProcesses(dataFolder: string): Promise<readonly number[]> {
  const [line = ""] = (await readFile(join(dataFolder, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  const pid = Number(line);
  if (!(pid > 0) || !isRunning(pid)) return [];
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return [pid, ...children.split(" ").filter(Boolean).map(Number)];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Asks the REST API as a load balancer does. */
async function nodesThatAre(nodes: readonly PatroniNode[], role: "primary" | "replica"): Promise<readonly PatroniNode[]> {
  const are = await Promise.all(nodes.map(({ restPort }) => isOk(`http://127.0.0.1:${restPort}/${role}`)));
  return nodes.filter((_, index) => are[index]);
}

/** A member as the REST API has it. */
interface MemberState {
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

async function isWhole(restPort: number, count: number): Promise<boolean> {
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${restPort}/${path}`)).json();
  const { synchronous_mode } = (await read("config")) as { synchronous_mode?: boolean };
  const { members } = (await read("cluster")) as { members: readonly MemberState[] };
  const leader = members.find(({ role }) => role === "leader");
  const following = members.filter(({ state, timeline }) => /running|streaming/.test(state) && timeline === leader?.timeline);
  const isSynchronous = !synchronous_mode || following.some(({ role }) => role === "sync_standby");
  return following.length === count && isSynchronous;
}

function isOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function callApi(port: number, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/${path}`, { method, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} /${path} of Patroni: ${response.status} ${await response.text()}`);
}

async function eventually<Value>(what: string, read: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
  const giveUp = Date.now() + LONGEST_WAIT;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (Date.now() > giveUp) throw new Error(`no ${what} within ${LONGEST_WAIT / 1000} s`);
    await sleep(POLL_INTERVAL);
  }
}
