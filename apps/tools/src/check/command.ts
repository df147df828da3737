/** `pnpm check`: every check of a change. CI runs it with `--all`. */
import { execFileSync } from "node:child_process";
import { closingLine, countsIn, noResults, refuseSkips, summary, total } from "../test/results.ts";
import { runTests } from "../test/run-tests.ts";
import { runCommand } from "../workspace/command-line.ts";
import { shareCompiledCode } from "../workspace/processes.ts";
import { ofBuilds, ofSources, onlyInCi, runJobs } from "./checks.ts";

const commands = {
  "": {
    summary: "runs lint, types, the semver policy, and the unit and system tests",
    flags: {
      all: { help: "also the long tests, the client's matrix, the release dry run and the audit, as CI does" },
    },
  },
  "generated-files": { summary: "fails if a generated file differs from the committed one", flags: {} },
} as const;

await runCommand("check", commands, async (options) => {
  if (options.command === "generated-files") return checkGeneratedFiles();
  return checkAll(options.all);
});

async function checkAll(inCi: boolean): Promise<number> {
  shareCompiledCode();
  const start = performance.now();
  const early = [...(await runJobs(ofSources)), ...(await runJobs(ofBuilds, 1))].filter(({ code }) => code !== 0);
  const all =
    early.length > 0
      ? { ...noResults, failed: early.length, failures: early.map(({ name }) => ({ path: name })) }
      : total(
          await Promise.all([
            runTests({ tiers: ["unit", "types", "system", ...(inCi ? (["long"] as const) : [])] }),
            runJobs(inCi ? onlyInCi : []).then((jobs) => total(jobs.map(countsIn))),
          ]),
        );
  const results = inCi ? refuseSkips(all) : all;
  for (const line of [...summary(results, (performance.now() - start) / 1000), closingLine(results)]) console.log(line);
  return results.failed === 0 ? 0 : 1;
}

function checkGeneratedFiles(): number {
  const stale = execFileSync("git", ["status", "--porcelain", "--", "*.gen.ts"], { encoding: "utf8" }).trimEnd();
  if (stale === "") return 0;
  console.error(`Generated files differ from the committed ones:\n${stale}\nTo fix it: pnpm generate && git add '*.gen.ts'`);
  return 1;
}
