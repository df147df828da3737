/** `pnpm test`: runs the unit tests of all packages, then their system tests, and prints the sum of both. */

import { parseFlags, runCommand, UsageError } from "../workspace/command-line.ts";
import { closingLine, summary, type TestReport, total } from "./reports.ts";
import { runSystem, runUnit, tiers } from "./tiers.ts";

await runCommand(async () => {
  const { positionals } = parseFlags({ allowPositionals: true, options: {} });
  const unknown = positionals.find((name) => !tiers.some((tier) => tier === name));
  if (unknown !== undefined) throw new UsageError(`test ${unknown}: expected unit, system or nothing for both`);
  const reports: TestReport[] = [];
  for (const tier of tiers.filter((each) => positionals.length === 0 || positionals.includes(each))) {
    const { code, report } = await { unit: runUnit, system: () => runSystem() }[tier]();
    reports.push(report);
    // If the packages do not build, no system test can pass.
    if (code !== 0 && report.files.length === 0) break;
  }
  const all = total(reports);
  for (const line of [...summary(all), closingLine(all)]) console.log(line);
  return all.failed === 0 ? 0 : 1;
});
