#!/usr/bin/env node
import { operationIds } from "./body/judge-body.ts";
import { FolderError, judgeBodies } from "./body/recorded-folder.ts";
import { help, type ServiceWish, UsageError, type Wish, wishIn } from "./cli-options.ts";
import { printable } from "./preview.ts";
import { progressOn } from "./progress.ts";
import { expectWritable, ReportError, type ReportFile, writeReports } from "./report/files.ts";
import { reportOfBodies } from "./report/from-bodies.ts";
import { exitCodeOf } from "./report/report.ts";
import { bodiesText, serviceText } from "./report/text.ts";
import { judgeService, ServiceError } from "./service/judge-service.ts";
import { version } from "./version.ts";

// Who reads our output may stop early, as `head` does; that is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const expected = [UsageError, FolderError, ServiceError, ReportError];

try {
  await fulfil(wishIn(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof Error) || !expected.some((kind) => error instanceof kind)) throw error;
  console.error(`chain-query-conformance: ${printable(error.message)}`);
  process.exitCode = 2;
}

async function fulfil(wish: Wish): Promise<void> {
  if (wish.kind === "help") process.stdout.write(help);
  else if (wish.kind === "version") console.log(version);
  else if (wish.kind === "bodies") await reportBodies(wish.folder, wish.json, wish.reports);
  else await reportService(wish);
}

async function reportService({ kind: _, reports, ...options }: ServiceWish): Promise<void> {
  await expectWritable(reports);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  const progress = progressOn(process.stderr);
  const report = await judgeService({
    ...options,
    signal: ending.signal,
    onStart: progress.begin,
    onProgress: progress.show,
  }).finally(() => {
    progress.clear();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeListener(signal, end);
  });
  process.stdout.write(serviceText(report, { colored: isColored() }));
  process.exitCode = exitCodeOf(report);
  await writeReports(report, reports);
}

async function reportBodies(folder: string, json: boolean, reports: readonly ReportFile[]): Promise<void> {
  await expectWritable(reports);
  const startedAt = new Date();
  const report = await judgeBodies(folder);
  if (report.totals.bodies === 0) {
    const skipped = report.skipped.length === 0 ? "" : `; skipped: ${report.skipped.map(printable).join(", ")}`;
    throw new UsageError(
      `nothing to judge in ${JSON.stringify(folder)}${skipped}; expected <operationId>/*.json or errors/*.json, where the operations are ${operationIds.join(", ")}`,
    );
  }
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : bodiesText(report, { colored: isColored() }));
  if (report.totals.unexplained > 0) process.exitCode = 1;
  await writeReports(reportOfBodies(folder, report, startedAt), reports);
}

/** Colors are for a terminal, unless its owner has said no (https://no-color.org). */
function isColored(): boolean {
  return process.stdout.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
}
