/** `pnpm check`: every check of a change. CI runs it with `--all`. */

import { closingLine, countsIn, summary, total } from "../test/reports.ts";
import { runSystem, runUnit } from "../test/tiers.ts";
import { parseFlags, runCommand } from "../workspace/command-line.ts";
import { runJobs } from "../workspace/jobs.ts";
import { ofBuilds, ofSources, onlyInCi } from "./checks.ts";

const help = `Runs lint, types, the law of versions and all tests.

  pnpm check [--all]

  --all   the client's matrix, the rehearsal of a release and the audit too, as CI does
  --help  show this text`;

await runCommand(async () => {
  const { values } = parseFlags({
    options: { all: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const early = [...(await runJobs(ofSources)), ...(await runJobs(ofBuilds, 1))].filter(({ code }) => code !== 0);
  if (early.length > 0) {
    console.log(
      `Failed: ${early.map(({ name }) => name).join(", ")}\n${closingLine({ passed: 0, failed: early.length, skipped: 0 })}`,
    );
    return 1;
  }
  const unit = await runUnit();
  const system = await runSystem(values.all ? onlyInCi : []);
  const all = total([unit.report, system.report, ...system.others.map(countsIn)]);
  for (const line of [...summary(all), closingLine(all)]) console.log(line);
  return all.failed === 0 ? 0 : 1;
});
