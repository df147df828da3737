/** `pnpm rehearse`: publishes to a registry on this machine and installs from there as a consumer would. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../workspace/command-line.ts";
import { root } from "../workspace/packages.ts";
import { rehearse } from "./rehearsal.ts";
import { makeScore } from "./score.ts";

const commands = {
  "": { summary: "rehearses two releases of the last commit to a registry on this machine", flags: {} },
} as const;

const notes = `Installs the packages from there with npm, pnpm and bun in empty folders, and runs what the READMEs say.
Nothing is published anywhere else, and the checkout does not change. Verdaccio and Bun are installed once into
CHAIN_QUERY_CACHE, or chain-query in the user's cache folder.`;

await runCommand(
  "rehearse",
  commands,
  async () => {
    if (execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }) !== "") {
      console.error("rehearse: warning: uncommitted changes are not part of the rehearsal");
    }
    const stop = new AbortController();
    // Not `once`: signal-exit, which Verdaccio loads, kills a process that has no listener left.
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop.abort(name));
    const folder = await mkdtemp(join(tmpdir(), "chain-query-rehearsal-"));
    // Temporary files of the tools are removed with the folder.
    process.env["TMPDIR"] = await mkdtemp(join(folder, "tmp-"));
    const score = makeScore(process.stdout.isTTY === true, (line) => console.log(line), stop.signal);
    try {
      await rehearse(folder, score, stop.signal);
      const { line, passed } = score.sum();
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
