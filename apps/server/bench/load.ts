/** Load on a server, by a generator in a process of its own: wrk where the machine has it, because it leaves the server more of the machine; else autocannon; and one of our own that keeps a rate. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A request that a load is made of. */
export interface Shot {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  readonly body?: string;
}

/** A load. */
export interface Load {
  readonly url: string;
  /** Sent in turn. */
  readonly shots: readonly Shot[];
  readonly seconds: number;
  readonly connections: number;
  /** Requests per second that are sent, however long answers take; as many as can be where absent. */
  readonly rate?: number;
}

/** What came of it. */
export interface Outcome {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that were no success, and requests without any. */
  readonly failed: number;
}

const run = promisify(execFile);
const wrk = ["/usr/bin/wrk", "/usr/local/bin/wrk"].find((path) => existsSync(path));

/** The generator that loads without a rate are made by. */
export const generator: string = wrk === undefined ? "autocannon" : "wrk";

/** Puts a load on a server. */
export async function load(wanted: Load): Promise<Outcome> {
  const outcome = await (wanted.rate !== undefined
    ? byScript(new URL("paced.ts", import.meta.url), wanted)
    : wrk === undefined
      ? byScript(new URL("autocannon.ts", import.meta.url), wanted)
      : byWrk(wrk, wanted));
  if (outcome.failed > 0)
    throw new Error(`${outcome.failed} requests to ${wanted.url} such as ${wanted.shots[0]?.path} failed`);
  return outcome;
}

async function byScript(program: URL, wanted: Load): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "server-bench-"));
  try {
    const file = join(folder, "load.json");
    writeFileSync(file, JSON.stringify(wanted));
    const { stdout } = await run(process.execPath, ["--no-warnings", fileURLToPath(program), file]);
    return JSON.parse(stdout) as Outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function byWrk(command: string, { url, shots, seconds, connections }: Load): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "server-bench-"));
  try {
    const script = join(folder, "load.lua");
    writeFileSync(script, luaOf(shots));
    const { stdout } = await run(command, ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, url]);
    return JSON.parse(stdout.slice(stdout.lastIndexOf("\n{"))) as Outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The requests are put together before the first is sent. */
function luaOf(shots: readonly Shot[]): string {
  const requests = shots.map(({ method, path, body }) => {
    const [headers, text] =
      body === undefined ? ["nil", "nil"] : ['{["content-type"]="application/json"}', JSON.stringify(body)];
    return `wrk.format("${method}", ${JSON.stringify(path)}, ${headers}, ${text})`;
  });
  return `
    local requests, next = nil, 0
    function init()
      requests = {}
      ${requests.map((one) => `requests[#requests + 1] = ${one}`).join("\n      ")}
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
