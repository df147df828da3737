/** `pnpm rehearse`: publishes to a registry of its own, and installs from there as a stranger would. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { parseFlags, root, runCommand } from "./command.ts";
import { rehearse } from "./rehearsal/rehearsal.ts";
import { makeScore } from "./rehearsal/score.ts";

const help = `Rehearses a release of the last commit: versions and publishes all public packages to a registry on this machine, twice,
and installs them from there with npm, pnpm and bun in empty folders, where the READMEs have to hold.

  pnpm rehearse

Nothing is published anywhere else, and the checkout stays as it is. Verdaccio and Bun are fetched once into
CHAIN_QUERY_CACHE, or chain-query in the user's cache folder.`;

await runCommand(async () => {
  const { values } = parseFlags({ options: { help: { type: "boolean", short: "h", default: false } } });
  if (values.help) {
    console.log(help);
    return 0;
  }
  if (execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }) !== "") {
    console.error("rehearse: what is not committed is not rehearsed");
  }
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => stop.abort(name));
  const folder = await mkdtemp(join(tmpdir(), "chain-query-rehearsal-"));
  // What the tools leave in the folder for temporary files goes with the rest.
  process.env["TMPDIR"] = await mkdtemp(join(folder, "tmp-"));
  const score = makeScore(process.stdout.isTTY === true, (line) => console.log(line), stop.signal);
  try {
    await rehearse(folder, score, stop.signal);
    const { line, held } = score.sum();
    console.log(line);
    return held ? 0 : 1;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return 128 + constants.signals[stop.signal.reason as NodeJS.Signals];
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
});
