/** The checks of `pnpm check` and of CI, in addition to the tests, and the runner of their commands. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "../workspace/packages.ts";
import { ownEnvironment, pnpmCommand, resultOf } from "../workspace/processes.ts";

/** A command with a name for the progress lines. */
export interface Job {
  readonly name: string;
  readonly command: readonly string[];
}

const bin = (name: string, ...args: string[]): Job => ({ name, command: [join(root, "node_modules/.bin", name), ...args] });
const script = (name: string, ...args: string[]): Job => ({
  name,
  command: [...pnpmCommand(), "--silent", "run", name, ...args],
});
const node = (name: string, file: string, ...args: string[]): Job => ({
  name,
  command: [process.execPath, ...process.execArgv, join(root, file), ...args],
});

/** Checks of the sources. They run side by side, before any test. */
export const ofSources: readonly Job[] = [
  { ...bin("turbo", "run", "lint", "typecheck", "--output-logs=errors-only"), name: "lint and typecheck of the packages" },
  bin("biome", "ci", "--error-on-warnings"),
  script("knip"),
  script("lint:layers"),
  script("lint:spelling"),
  script("lint:words"),
];

/** Checks of the built packages, one after the other: they read and write the same outputs. */
export const ofBuilds: readonly Job[] = [
  node("generated files", "apps/tools/src/check/command.ts", "generated-files"),
  { ...bin("turbo", "run", "semver", "--output-logs=new-only"), name: "semver policy" },
];

/** Checks that need a network, other runtimes or minutes. They run beside the system tests. */
export const onlyInCi: readonly Job[] = [
  node("release dry run", "apps/tools/src/release-dry-run/command.ts"),
  node("runtimes and compilers of the client", "packages/client/matrix/run.ts"),
  script("audit"),
];

/** How a job ended. */
interface JobResult {
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

async function runJob({ name, command: [file = "", ...args] }: Job): Promise<JobResult> {
  const child = spawn(file, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: ownEnvironment(),
    shell: process.platform === "win32",
  });
  const { code, output } = await resultOf(child);
  return { name, code: code ?? 1, output };
}
