/** `pnpm release:dry-run`: publishes to a registry on this machine and installs from there as a consumer would. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../workspace/command-line.ts";
import { root } from "../workspace/packages.ts";
import { dryRun, printSteps } from "./dry-run.ts";

const commands = {
  "": { summary: "makes two releases of the last commit to a registry on this machine", flags: {} },
} as const;

const notes = `Installs the packages from there with npm, pnpm and bun in empty folders, and runs the programs of the READMEs.
Nothing is published anywhere else, and the checkout does not change. Verdaccio and Bun are installed once into
CHAIN_QUERY_CACHE, or chain-query in the user's cache folder.`;

await runCommand(
  "release:dry-run",
  commands,
  async () => {
    if (execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }) !== "") {
      console.error("release:dry-run: warning: uncommitted changes are not part of the dry run");
    }
    const stop = new AbortController();
    // Not `once`: signal-exit, which Verdaccio loads, kills a process that has no listener left.
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop.abort(name));
    const folder = await mkdtemp(join(tmpdir(), "chain-query-dry-run-"));
    // Temporary files of the tools are removed with the folder.
    process.env["TMPDIR"] = await mkdtemp(join(folder, "tmp-"));
    const steps = printSteps(process.stdout.isTTY === true, (line) => console.log(line), stop.signal);
    try {
      await dryRun(folder, steps, stop.signal);
      const { line, passed } = steps.result();
      console.log(line);
      return passed ? 0 : 1;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      return 128 + constants.signals[stop.signal.reason as NodeJS.Signals];
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  },
  notes,
);
