/** Runs commands side by side, one per core, and shows the output of those that fail. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { root } from "./packages.ts";

/** A command with a name for the progress lines. */
export interface Job {
  readonly name: string;
  readonly command: readonly string[];
}

/** How a job ended. */
export interface JobResult {
  readonly name: string;
  readonly code: number;
  /** Standard output and standard error in the order of arrival. */
  readonly output: string;
}

/** Starts the jobs in the given order and resolves when all have ended, whether they fail or not. */
export async function runJobs(jobs: readonly Job[], slots: number = availableParallelism()): Promise<JobResult[]> {
  const results: JobResult[] = [];
  const work = async (waiting: Job[]): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      console.log(`${job.name}: started`);
      const start = performance.now();
      const result = await runJob(job);
      if (result.code !== 0) console.log(result.output.trimEnd());
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      console.log(`${job.name}: ${result.code === 0 ? "passed" : `failed with exit code ${result.code}`} after ${seconds} s`);
      results.push(result);
    }
  };
  const waiting = [...jobs];
  await Promise.all(Array.from({ length: slots }, () => work(waiting)));
  return results;
}

function runJob({ name, command: [file = "", ...args] }: Job): Promise<JobResult> {
  const child = spawn(file, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" },
    shell: process.platform === "win32",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ name, code: code ?? 1, output }));
  });
}
