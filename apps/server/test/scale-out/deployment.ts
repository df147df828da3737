/** Several instances of the service behind HAProxy, over an index in PostgreSQL that follows a growing chain. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openProducer } from "@chain-query/local-chain";
import { migrate } from "@chain-query/postgres-store";
import {
  type HaproxyServer,
  type PostgresServer,
  startHaproxy,
  startPostgres,
  startRedis,
  type Unavailable,
} from "@chain-query/testing/services";

export interface Deployment extends AsyncDisposable {
  /** The URL of the load balancer. */
  readonly url: string;
  /** An API key without a limit. */
  readonly headers: { readonly "x-api-key": string };
  readonly balancer: HaproxyServer;
  readonly instances: readonly RunningProgram[];
  /** The index has a replica, which all instances read. */
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** The URL of the index for its writer. */
  readonly writing: string;
  /** The newest block of the chain, which the index may not have yet. */
  produced(): number;
  /** Starts one more instance, and adds it to the load balancer. */
  add(): Promise<RunningProgram>;
  /** Takes an instance from the load balancer. It keeps running. */
  remove(instance: RunningProgram): Promise<void>;
}

const instanceCount = 3;
/** Milliseconds between blocks. */
const blockInterval = 500;

/** Starts all servers on a chain in a folder, and continues the chain. Returns the reason if this machine lacks a server. */
export async function startDeployment(chain: string): Promise<Deployment | Unavailable> {
  const cleanup = new AsyncDisposableStack();
  try {
    const deployment = await deploy(chain, cleanup);
    if ("reason" in deployment) await cleanup.disposeAsync();
    return deployment;
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function deploy(chain: string, cleanup: AsyncDisposableStack): Promise<Deployment | Unavailable> {
  const redis = await startRedis();
  if ("reason" in redis) return redis;
  cleanup.use(redis);
  const primary = cleanup.use(await startPostgres());
  const writing = await primary.createDatabase();
  await migrate({ url: writing });
  const standby = cleanup.use(await primary.startStandby());

  const producer = await openProducer(chain);
  const growing = new AbortController();
  const growth = grow(producer.step, growing.signal);
  cleanup.defer(async () => {
    growing.abort();
    await growth;
    await producer.close();
  });
  const indexing = ["run", "--from-chain", chain, "--admin-address", "127.0.0.1:0"];
  cleanup.use(await startProgram("indexer", indexing, { CHAIN_QUERY_POSTGRES: writing }));

  const reading = { CHAIN_QUERY_POSTGRES: `${writing},${standby.urlOf(writing)}`, CHAIN_QUERY_REDIS: redis.url };
  const key = await runProgram("server", ["keys", "add", "conformance", "--rate", "0"], {
    ...reading,
    CHAIN_QUERY_POSTGRES: writing,
  });
  const instances: RunningProgram[] = [];
  const limits = ["--keyless-rate", "1", "--trusted-proxies", "127.0.0.1", "--max-head-age", "0"];
  const flags = ["--port", "0", ...limits, "--shutdown-delay", "3s"];
  const start = async () => cleanup.use(await startProgram("server", flags, reading));
  instances.push(...(await Promise.all(Array.from({ length: instanceCount }, start))));
  const balancer = await startHaproxy({ ports: instances.map(({ port }) => port), configuration });
  if ("reason" in balancer) return balancer;
  cleanup.use(balancer);

  return {
    ...{ primary, standby, writing },
    url: balancer.url,
    headers: { "x-api-key": key },
    balancer,
    instances,
    produced: () => producer.head.seqno,
    async add() {
      const instance = await start();
      instances.push(instance);
      await balancer.add(instance.port);
      return instance;
    },
    async remove(instance) {
      await balancer.remove(instance.port);
      instances.splice(instances.indexOf(instance), 1);
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

/** The configuration for operators, with addresses of this machine instead of the container engine's. */
function configuration(port: number): string {
  const text = readFileSync(new URL("../../deploy/haproxy.cfg", import.meta.url), "utf8");
  return text
    .replace("maxconn 20000", "maxconn 1000")
    .replace("bind :8080", `bind 127.0.0.1:${port}`)
    .replace("server:8080 resolvers docker init-addr none", "127.0.0.1:1 disabled");
}

async function grow(step: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await step();
    await sleep(blockInterval);
  }
}

/** A program of the workspace. */
type ProgramName = "server" | "indexer";
type Environment = Readonly<Record<string, string>>;

/** A program that listens. */
interface RunningProgram extends AsyncDisposable {
  /** The first line on stdout. */
  readonly url: string;
  readonly port: number;
  /** Ends it as an operator does, and waits. Its disposal ends it at once. */
  stop(): Promise<void>;
}

/** Starts a program, and waits until it prints its URL. */
async function startProgram(name: ProgramName, args: readonly string[], environment: Environment): Promise<RunningProgram> {
  const child = spawn(process.execPath, [pathOf(name), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const exited = once(child, "close");
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    exited.then(([code]): never => {
      throw new Error(`${name} exited with ${code} before it listened: ${log}`);
    }),
  ]);
  const url = String(line).trim();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  return {
    url,
    port: Number(new URL(url).port),
    stop: () => end("SIGTERM"),
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}

/** Runs a program to its end, and returns its output. */
async function runProgram(name: ProgramName, args: readonly string[], environment: Environment): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, [pathOf(name), ...args], { env });
  return stdout.trim();
}

function pathOf(name: ProgramName): string {
  const manifest = import.meta.resolve(`@chain-query/${name}/package.json`);
  return fileURLToPath(new URL(`bin/chain-query-${name}.js`, manifest));
}
