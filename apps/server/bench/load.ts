/**
 * Puts load on a server from a process of its own: wrk if it is installed, since it leaves more of the machine to the server, otherwise
 * autocannon; and a program of ours for requests at an even pace.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  /** Requests per second, sent however long their answers take; by default as many as possible. */
  readonly rate?: number;
}

/** The result of a load. */
export interface Outcome {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  /** Only of a load at an even pace. */
  readonly p95?: number;
  readonly p99: number;
  /** Number of failures: answers other than 2xx, and requests without an answer. */
  readonly failed: number;
}

const run = promisify(execFile);
const wrk = ["/usr/bin/wrk", "/usr/local/bin/wrk"].find((path) => existsSync(path));

/** The program that makes loads without a rate. */
export const generator: string = wrk === undefined ? "autocannon" : "wrk";

/** Puts a load on a server. @throws Error if a request fails. */
export async function load(options: Load): Promise<Outcome> {
  const outcome = await (options.rate !== undefined
    ? byScript(new URL("paced.ts", import.meta.url), options)
    : wrk === undefined
      ? byScript(new URL("autocannon.ts", import.meta.url), options)
      : byWrk(wrk, options));
  if (outcome.failed > 0)
    throw new Error(`${outcome.failed} requests to ${options.url} such as ${options.requests[0]?.path} failed`);
  return outcome;
}

async function byScript(program: URL, options: Load): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "server-bench-"));
  try {
    const file = join(folder, "load.json");
    writeFileSync(file, JSON.stringify(options));
    const { stdout } = await run(process.execPath, ["--no-warnings", fileURLToPath(program), file]);
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
