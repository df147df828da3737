/** `pnpm check`: every check of a change. CI runs it with `--all`. */
import { closingLine, countsIn, noResults, summary, total } from "../test/results.ts";
import { runTests } from "../test/run-tests.ts";
import { runCommand } from "../workspace/command-line.ts";
import { shareCompiledCode } from "../workspace/compiled-code.ts";
import { runJobs } from "../workspace/jobs.ts";
import { ofBuilds, ofSources, onlyInCi } from "./checks.ts";

const commands = {
  "": {
    summary: "runs lint, types, the law of versions, and the unit and system tests",
    flags: {
      all: { help: "also the long tests, the client's matrix, the rehearsal of a release and the audit, as CI does" },
    },
  },
} as const;

await runCommand("check", commands, async ({ all: inCi }) => {
  shareCompiledCode();
  const start = performance.now();
  const early = [...(await runJobs(ofSources)), ...(await runJobs(ofBuilds, 1))].filter(({ code }) => code !== 0);
  const results =
    early.length > 0
      ? { ...noResults, failed: early.length, failures: early.map(({ name }) => ({ path: name })) }
      : total(
          await Promise.all([
            runTests({ tiers: ["unit", "types", "system", ...(inCi ? (["long"] as const) : [])] }),
            runJobs(inCi ? onlyInCi : [], 1).then((jobs) => total(jobs.map(countsIn))),
          ]),
        );
  for (const line of [...summary(results, (performance.now() - start) / 1000), closingLine(results)]) console.log(line);
  return results.failed === 0 ? 0 : 1;
});
