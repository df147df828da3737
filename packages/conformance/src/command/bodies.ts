import { CommandLineError } from "@chain-query/command-line";
import { operationIds } from "../body/judge-body.ts";
import { judgeBodies } from "../body/recorded-folder.ts";
import { expectWritable, writeReports } from "../report/files.ts";
import { reportOfBodies } from "../report/from-bodies.ts";
import { bodiesText } from "../report/text.ts";
import type { BodiesCommand } from "./arguments.ts";
import type { Terminal } from "./progress.ts";

/** Checks recorded bodies. */
export async function runBodies({ folder, json, reports }: BodiesCommand, { stdout, colored }: Terminal): Promise<number> {
  await expectWritable(reports);
  const startedAt = new Date();
  const report = await judgeBodies(folder);
  if (report.totals.bodies === 0) {
    const skipped = report.skipped.length === 0 ? "" : `; skipped: ${report.skipped.join(", ")}`;
    throw new CommandLineError([
      `no bodies in ${JSON.stringify(folder)}${skipped}; expected <operation>/*.json or errors/*.json, with the operations ${operationIds.join(", ")}`,
    ]);
  }
  stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : bodiesText(report, { colored }));
  await writeReports(reportOfBodies(folder, report, startedAt), reports);
  return report.totals.unexplained > 0 ? 1 : 0;
}
