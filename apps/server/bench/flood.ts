/**
 * Thousands of connections whose clients do not read their responses: memory of the service, and the time of health checks and of other
 * callers. This file is also the program of those clients, in a process of its own.
 */
import { execFile, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, get, type RequestOptions } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadOf, printTable, quantile } from "./measure.ts";

/** Connections, from as many addresses, and the requests that each sends at once. */
const flood = { connections: 4_000, addresses: 200, requests: 100, path: "/openapi.json" } as const;
/** Seconds of a measurement. A flood is longer than the time after which unread connections are closed. */
const quietSeconds = 5;
const floodSeconds = 25;
const callers = 4;
/** Milliseconds between two requests of a caller, and between two samples of the memory and of the health. */
const callerPause = 10;
const sampleInterval = 100;
/** Milliseconds after which a request has failed. */
const longest = 10_000;

const program = fileURLToPath(new URL("bin/chain-query-server.js", import.meta.resolve("@chain-query/server/package.json")));
const run = promisify(execFile);

/** The service, and an API key. */
interface Target {
  readonly pid: number;
  readonly port: number;
  readonly adminPort: number;
  readonly key: string;
}

/** Milliseconds of responses, the number of requests without one, and bytes of memory at most. */
interface Figures {
  readonly calls: readonly number[];
  readonly checks: readonly number[];
  /** Of checks at the admin address. */
  readonly adminChecks: readonly number[];
  readonly failed: number;
  readonly memory: number;
}

/** Prints the figures during a flood beside those before it, with the goals. Sets no exit code: they depend on the load of the machine. */
export async function benchFlood(chain: string): Promise<void> {
  const keys = join(chain, "..", "flood.keys");
  const { stdout: key } = await run(process.execPath, [program, "keys", "add", "bench", "--rate", "0", "--keys", keys]);
  const flags = ["--port", "0", "--chain", chain, "--no-produce", "--keys", keys, "--admin-address", "127.0.0.1:0"];
  const service = spawn(process.execPath, [program, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  const log = createInterface(service.stderr);
  try {
    const { port, adminPort } = await portsIn(log);
    const target = { pid: service.pid ?? 0, port, adminPort, key: key.trim() };
    const measure = (seconds: number): Promise<Figures> => figuresOf(target, seconds);
    await measure(quietSeconds);
    const quiet = await measure(quietSeconds);
    const clients = fork(fileURLToPath(import.meta.url), [String(port)], { execArgv: ["--no-warnings"] });
    const flooded = await measure(floodSeconds).finally(() => clients.kill("SIGKILL"));
    print(quiet, flooded, service.exitCode === null);
  } finally {
    service.kill("SIGKILL");
  }
}

async function portsIn(log: AsyncIterable<string>): Promise<Pick<Target, "port" | "adminPort">> {
  for await (const line of log) {
    const { url, adminUrl }: { url?: string; adminUrl?: string } = JSON.parse(line);
    if (url !== undefined && adminUrl !== undefined)
      return { port: Number(new URL(url).port), adminPort: Number(new URL(adminUrl).port) };
  }
  throw new Error("the service ended before it listened");
}

function print(quiet: Figures, flooded: Figures, isAlive: boolean): void {
  const { connections, addresses, requests, path } = flood;
  console.log(`flood: ${connections} connections from ${addresses} addresses, ${requests} times GET ${path} on each, unread`);
  console.log(`the service ${isAlive ? "runs on" : "ended"}; load of the machine ${loadOf()}\n`);
  const [before, after] = [quantile(quiet.calls, 0.99), quantile(flooded.calls, 0.99)];
  const [check, slow] = [quantile(quiet.checks, 1), quantile(flooded.checks, 1)];
  const [admin, slowAdmin] = [quantile(quiet.adminChecks, 1), quantile(flooded.adminChecks, 1)];
  const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;
  const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
  printTable([
    ["", "quiet", "flood", "ratio", "goal"],
    ["memory", megabytes(quiet.memory), megabytes(flooded.memory), ratio(flooded.memory, quiet.memory), "≤ 300 MB more"],
    ["slowest /healthz", milliseconds(check), milliseconds(slow), ratio(slow, check), "≤ 1000 ms"],
    ["the same at --admin-address", milliseconds(admin), milliseconds(slowAdmin), ratio(slowAdmin, admin), "≤ 1000 ms"],
    ["p99 of other callers", milliseconds(before), milliseconds(after), ratio(after, before), "≤ 3 times"],
    ["calls", String(quiet.calls.length), String(flooded.calls.length), "", ""],
    ["calls and checks that failed", String(quiet.failed), String(flooded.failed), "", "0"],
  ]);
}

function ratio(one: number, other: number): string {
  return (one / other).toFixed(2);
}

async function figuresOf({ pid, port, adminPort, key }: Target, seconds: number): Promise<Figures> {
  const until = performance.now() + seconds * 1000;
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const calls: number[] = [];
  const checks: number[] = [];
  const adminChecks: number[] = [];
  const repeat = async (pause: number, once: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < until) {
      await once();
      await sleep(pause);
    }
  };
  let failed = 0;
  const timeInto = async (times: number[], options: RequestOptions): Promise<void> => {
    const milliseconds = await time(options).catch(() => undefined);
    if (milliseconds === undefined) failed++;
    else times.push(milliseconds);
  };
  const call = (): Promise<void> =>
    timeInto(calls, { port, agent, path: "/api/v2/getMasterchainInfo", headers: { "x-api-key": key } });
  // With a connection of its own, as those of supervisors are.
  const check = (): Promise<void> => timeInto(checks, { port, agent: false, path: "/healthz" });
  const checkAdmin = (): Promise<void> => timeInto(adminChecks, { port: adminPort, agent: false, path: "/healthz" });
  let memory = 0;
  const sample = async (): Promise<unknown> => (memory = Math.max(memory, residentBytes(pid)));
  await Promise.all([
    ...Array.from({ length: callers }, () => repeat(callerPause, call)),
    repeat(sampleInterval, check),
    repeat(sampleInterval, checkAdmin),
    repeat(sampleInterval, sample),
  ]);
  agent.destroy();
  return { calls, checks, adminChecks, failed, memory };
}

/** Milliseconds of a request until the end of its response. */
async function time(options: RequestOptions): Promise<number> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(longest);
  const [response] = await once(get({ host: "127.0.0.1", ...options, signal }), "response");
  if (response.statusCode !== 200) throw new Error(`the response has the status ${response.statusCode}`);
  await once(response.resume(), "end");
  return performance.now() - startedAt;
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

function startFlood(port: number): void {
  const { connections, addresses, requests, path } = flood;
  const sent = `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(requests);
  for (let index = 0; index < connections; index++) {
    const address = index % addresses;
    const localAddress = `127.0.${1 + Math.floor(address / 250)}.${1 + (address % 250)}`;
    const socket = connect({ host: "127.0.0.1", port, localAddress });
    socket.on("error", () => {}).pause();
    socket.write(sent);
  }
}

if (import.meta.main) startFlood(Number(process.argv[2]));
