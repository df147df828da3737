/** `pnpm check`: every check of a change. CI runs it with `--all`. */
import { closingLine, countsIn, summary, total } from "../test/reports.ts";
import { runSystem, runUnit } from "../test/tiers.ts";
import { runCommand } from "../workspace/command-line.ts";
import { shareCompiledCode } from "../workspace/compiled-code.ts";
import { runJobs } from "../workspace/jobs.ts";
import { ofBuilds, ofSources, onlyInCi } from "./checks.ts";

const commands = {
  "": {
    summary: "runs lint, types, the law of versions and all tests",
    flags: { all: { help: "also the client's matrix, the rehearsal of a release and the audit, as CI does" } },
  },
} as const;

await runCommand("check", commands, async ({ all: inCi }) => {
  shareCompiledCode();
  const early = [...(await runJobs(ofSources)), ...(await runJobs(ofBuilds, 1))].filter(({ code }) => code !== 0);
  if (early.length > 0) {
    console.log(
      `Failed: ${early.map(({ name }) => name).join(", ")}\n${closingLine({ passed: 0, failed: early.length, skipped: 0 })}`,
    );
    return 1;
  }
  const unit = await runUnit();
  const system = await runSystem(inCi ? onlyInCi : []);
  const all = total([unit.report, system.report, ...system.others.map(countsIn)]);
  for (const line of [...summary(all), closingLine(all)]) console.log(line);
  return all.failed === 0 ? 0 : 1;
});
