/** `pnpm test`: runs the unit tests of all packages, then their system tests, and prints the sum of both. */

import { runCommand } from "../workspace/command-line.ts";
import { shareCompiledCode } from "../workspace/compiled-code.ts";
import { closingLine, summary, type TestReport, total } from "./reports.ts";
import { runSystem, runUnit, tiers } from "./tiers.ts";

const commands = {
  "": { summary: "runs every test: unit, then system", flags: {} },
  unit: { summary: "tests that start no process and no browser", flags: {} },
  system: { summary: "tests that do", flags: {} },
} as const;

await runCommand("test", commands, async ({ command }) => {
  shareCompiledCode();
  const reports: TestReport[] = [];
  for (const tier of tiers.filter((each) => command === "" || command === each)) {
    const { code, report } = await { unit: runUnit, system: () => runSystem() }[tier]();
    reports.push(report);
    // If the packages do not build, no system test can pass.
    if (code !== 0 && report.files.length === 0) break;
  }
  const all = total(reports);
  for (const line of [...summary(all), closingLine(all)]) console.log(line);
  return all.failed === 0 ? 0 : 1;
});
