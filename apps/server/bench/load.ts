/**
 * Puts load on a server from a process of its own: wrk if it is installed, since it leaves more of the machine to the server, otherwise
 * autocannon (see decision 523). This file is also the program of that process: `node load.ts FILE` reads a load from a file and prints the
 * outcome as JSON.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Request } from "../fuzz/requests.ts";

/** A load. */
interface Load {
  readonly url: string;
  /** Sent in turn. */
  readonly requests: readonly Request[];
  readonly seconds: number;
  readonly connections: number;
}

/** The result of a load. */
interface Outcome {
  readonly perSecond: number;
  /** Responses other than 2xx, and requests without a response. */
  readonly failed: number;
}

const run = promisify(execFile);
const wrk = ["/usr/bin/wrk", "/usr/local/bin/wrk"].find((path) => existsSync(path));

/** The program that sends the requests. */
export const generator: string = wrk === undefined ? "autocannon" : "wrk";

/** Puts a load on a server. @throws Error if a request fails. */
export async function load(options: Load): Promise<Outcome> {
  const outcome = await (wrk === undefined ? inProcess(options) : byWrk(wrk, options));
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
    function done(summary)
      local errors = summary.errors
      local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
      io.write(string.format('\\n{"perSecond":%f,"failed":%d}', summary.requests * 1e6 / summary.duration, failed))
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
  const { requests: sent, duration, non2xx, errors, timeouts } = result;
  return { perSecond: sent.total / duration, failed: non2xx + errors + timeouts };
}

if (import.meta.main) {
  const load = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Load;
  process.stdout.write(JSON.stringify(await byAutocannon(load)));
}
