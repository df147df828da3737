import { CommandLineError } from "@chain-query/command-line";
import { operationIds } from "../body/judge-body.ts";
import { judgeBodies } from "../body/recorded-folder.ts";
import { expectWritable, writeReports } from "../report/files.ts";
import { reportOfBodies } from "../report/from-bodies.ts";
import { exitCodeOf } from "../report/report.ts";
import { bodiesText, serviceText } from "../report/text.ts";
import { judgeService } from "../service/judge-service.ts";
import type { BodiesCommand, ServiceCommand } from "./arguments.ts";
import { progressOn } from "./progress.ts";

/** Where a command writes, and what ends it early. */
export interface Terminal {
  readonly stdout: Pick<NodeJS.WriteStream, "write">;
  readonly stderr: Parameters<typeof progressOn>[0];
  readonly colored: boolean;
  readonly signal: AbortSignal;
}

/** Names of errors that the user can act on. */
export const expectedErrors: readonly string[] = ["FolderError", "ServiceError", "ReportError"];

/** Runs a command and returns its exit code. */
export function run(command: BodiesCommand | ServiceCommand, terminal: Terminal): Promise<number> {
  return command.command === "bodies" ? runBodies(command, terminal) : runService(command, terminal);
}

async function runService(
  { options, reports }: ServiceCommand,
  { stdout, stderr, colored, signal }: Terminal,
): Promise<number> {
  await expectWritable(reports);
  const progress = progressOn(stderr);
  const report = await judgeService({ ...options, signal, onStart: progress.begin, onProgress: progress.show }).finally(
    progress.clear,
  );
  stdout.write(serviceText(report, { colored }));
  await writeReports(report, reports);
  return exitCodeOf(report);
}

async function runBodies({ folder, json, reports }: BodiesCommand, { stdout, colored }: Terminal): Promise<number> {
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
