/**
 * Puts load on a server from a process of its own: wrk if it is installed, since it leaves more of the machine to the server, otherwise
 * autocannon; and own code for requests at a steady rate (see decision 523). This file is also the program of that process:
 * `node load.ts FILE` reads a load from a file and prints the outcome as JSON.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Request } from "./requests.ts";

/** A load. */
export interface Load {
  readonly url: string;
  /** Sent in turn. */
  readonly requests: readonly Request[];
  readonly seconds: number;
  readonly connections: number;
  /** Requests per second, independent of the response times; by default as many as possible. */
  readonly rate?: number;
}

/** The result of a load. */
export interface Outcome {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  /** Only for a steady rate. */
  readonly p95?: number;
  readonly p99: number;
  /** Responses other than 2xx, and requests without a response. */
  readonly failed: number;
}

const run = promisify(execFile);
const wrk = ["/usr/bin/wrk", "/usr/local/bin/wrk"].find((path) => existsSync(path));

/** The program for loads without a rate. */
export const generator: string = wrk === undefined ? "autocannon" : "wrk";

/** Puts a load on a server. @throws Error if a request fails. */
export async function load(options: Load): Promise<Outcome> {
  const outcome = await (options.rate !== undefined || wrk === undefined ? inProcess(options) : byWrk(wrk, options));
  if (outcome.failed > 0)
    throw new Error(`${outcome.failed} requests to ${options.url} such as ${options.requests[0]?.path} failed`);
  return outcome;
}

async function inProcess(options: Load): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "server-bench-"));
  try {
    const file = join(folder, "load.json");
    writeFileSync(file, JSON.stringify(options));
    const { stdout } = await run(process.execPath, ["--no-warnings", fileURLToPath(import.meta.url), file]);
    return JSON.parse(stdout) as Outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function byWrk(command: string, { url, requests, seconds, connections }: Load): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "server-bench-"));
  try {
    const script = join(folder, "load.lua");
    writeFileSync(script, luaOf(requests));
    const { stdout } = await run(command, ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, url]);
    return JSON.parse(stdout.slice(stdout.lastIndexOf("\n{"))) as Outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A wrk script that formats all requests before it sends the first one. */
function luaOf(requests: readonly Request[]): string {
  const formatted = requests.map(({ method, path, body }) => {
    const [headers, text] =
      body === undefined ? ["nil", "nil"] : ['{["content-type"]="application/json"}', JSON.stringify(body)];
    return `wrk.format("${method}", ${JSON.stringify(path)}, ${headers}, ${text})`;
  });
  return `
    local requests, next = nil, 0
    function init()
      requests = {}
      ${formatted.map((one) => `requests[#requests + 1] = ${one}`).join("\n      ")}
    end
    function request()
      next = next % #requests + 1
      return requests[next]
    end
    function done(summary, latency)
      local errors = summary.errors
      local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
      io.write(string.format('\\n{"perSecond":%f,"p50":%f,"p99":%f,"failed":%d}',
        summary.requests * 1e6 / summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000, failed))
    end
  `;
}

async function byAutocannon({ url, requests: load, seconds, connections }: Load): Promise<Outcome> {
  const { default: autocannon } = await import("autocannon");
  const requests = load.map(({ method, path, body }) => ({
    method,
    path,
    ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
  }));
  let next = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests,
    // Each connection starts with another request.
    setupClient(client) {
      const from = Math.floor((next++ * requests.length) / connections);
      client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
    },
  });
  const { requests: sent, duration, latency, non2xx, errors, timeouts } = result;
  return { perSecond: sent.total / duration, p50: latency.p50, p99: latency.p99, failed: non2xx + errors + timeouts };
}

interface Connection {
  readonly socket: Socket;
  /** When the current request was due, in milliseconds; undefined if the connection is free. */
  due?: number;
  received: string;
}

/** Seconds at the start that are not measured. */
const warmUp = 1;

/** Response times count from the time when a request is due, so a stall of the server delays no request. */
async function atRate({ url, requests: load, seconds, connections }: Load, rate: number): Promise<Outcome> {
  const { hostname, port, host } = new URL(url);
  const requests = load.map(({ method, path, body = "" }) => {
    const headers = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
    return method === "GET"
      ? `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
      : `POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
  });
  const taken: number[] = [];
  let failed = 0;
  const free: Connection[] = [];
  let counted = 0;

  /** A connection has one request at a time, so a response is complete when its body is. */
  const receive = (connection: Connection, text: string): void => {
    connection.received += text;
    const { received, due } = connection;
    const head = received.indexOf("\r\n\r\n");
    if (head < 0 || due === undefined) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1]);
    if (received.length < head + 4 + length) return;
    if (due >= counted) taken.push(performance.now() - due);
    if (!received.startsWith("HTTP/1.1 200 ")) failed++;
    connection.received = "";
    delete connection.due;
    free.push(connection);
  };
  const openConnection = async (): Promise<Connection> => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }).setEncoding("latin1");
    const connection: Connection = { socket, received: "" };
    socket.on("data", (text: string) => receive(connection, text));
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return connection;
  };
  const all = await Promise.all(Array.from({ length: connections }, openConnection));
  free.push(...all);

  const start = performance.now();
  counted = start + warmUp * 1000;
  const total = Math.round(rate * (warmUp + seconds));
  const dueAt = (index: number): number => start + (index * 1000) / rate;
  let sent = 0;
  while (sent < total) {
    const now = performance.now();
    for (let due = dueAt(sent); sent < total && due <= now; due = dueAt(++sent)) {
      const connection = free.pop();
      if (connection === undefined) break;
      connection.due = due;
      connection.socket.write(requests[sent % requests.length] ?? "");
    }
    await new Promise(setImmediate);
  }
  while (free.length < connections) await new Promise(setImmediate);
  for (const { socket } of all) socket.destroy();

  taken.sort((one, other) => one - other);
  const at = (share: number): number => taken[Math.ceil(taken.length * share) - 1] ?? Number.NaN;
  const perSecond = (taken.length * 1000) / (performance.now() - counted);
  return { perSecond, p50: at(0.5), p95: at(0.95), p99: at(0.99), failed };
}

if (import.meta.main) {
  const load = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Load;
  const outcome = await (load.rate === undefined ? byAutocannon(load) : atRate(load, load.rate));
  process.stdout.write(JSON.stringify(outcome));
}
