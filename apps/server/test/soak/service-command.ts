/** The command with two workers and its block producer, whose processes can be killed and measured. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A running service. */
export interface ServiceCommand extends AsyncDisposable {
  readonly url: string;
  /** The pids of the listening workers. */
  workers(): number[];
  /** The pid of the block producer; undefined while it is restarted. */
  producer(): number | undefined;
  /** Waits until all workers listen. */
  complete(): Promise<void>;
  /** Private bytes and open descriptors of all processes; 0 on systems without /proc. */
  usage(): { readonly bytes: number; readonly descriptors: number };
  /** Runs `keys` of the command, and returns its output. */
  keys(...args: string[]): Promise<string>;
}

/** The members of a log line that are read. */
interface LogLine {
  readonly msg: string;
  readonly pid: number;
  readonly worker?: number;
}

const workerCount = 2;
const program = fileURLToPath(new URL("bin/chain-query-server.js", import.meta.resolve("@chain-query/server/package.json")));

/** Starts the service on a free port, without limits. */
export async function startCommand(chain: string): Promise<ServiceCommand> {
  const flags = [
    "--port",
    "0",
    "--chain",
    chain,
    "--workers",
    String(workerCount),
    "--block-interval",
    "1s",
    "--keyless-rate",
    "0",
  ];
  const child = spawn(process.execPath, [program, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  // The system reuses pids, so a process counts until its death is logged.
  const pids = new Map<string, number>();
  let rest = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((one) => one.startsWith("{"))) {
      const { msg, pid, worker } = JSON.parse(line) as LogLine;
      if (msg === "worker listening") pids.set(`worker ${worker}`, pid);
      else if (msg === "worker died, restarting") pids.delete(`worker ${worker}`);
      else if (msg === "producing blocks") pids.set("producer", pid);
      else if (msg === "block producer died, restarting") pids.delete("producer");
    }
  });
  const [url] = await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(([code]): never => {
      throw new Error(`the service exited with ${code} before it listened`);
    }),
  ]);
  const running = (isWanted: (name: string) => boolean): number[] =>
    [...pids].filter(([name, pid]) => isWanted(name) && isRunning(pid)).map(([, pid]) => pid);
  const service: ServiceCommand = {
    url: String(url).trim(),
    workers: () => running((name) => name !== "producer"),
    producer: () => running((name) => name === "producer")[0],
    async complete() {
      while (service.workers().length < workerCount) await sleep(100);
    },
    usage() {
      const usages = [child.pid ?? 0, ...service.workers(), service.producer() ?? 0].map(usageOf);
      return {
        bytes: usages.reduce((sum, { bytes }) => sum + bytes, 0),
        descriptors: usages.reduce((sum, { descriptors }) => sum + descriptors, 0),
      };
    },
    async keys(...args) {
      const { stdout } = await promisify(execFile)(process.execPath, [program, "keys", ...args, "--chain", chain]);
      return stdout;
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
  return service;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function usageOf(pid: number): { bytes: number; descriptors: number } {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return { bytes: Number(kilobytes ?? 0) * 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    // The process has just ended.
    return { bytes: 0, descriptors: 0 };
  }
}
