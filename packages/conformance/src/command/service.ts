import { expectWritable, writeReports } from "../report/files.ts";
import { exitCodeOf } from "../report/report.ts";
import { serviceText } from "../report/text.ts";
import { judgeService } from "../service/judge-service.ts";
import type { ServiceCommand } from "./arguments.ts";
import { progressOn, type Terminal } from "./progress.ts";

/** Checks a running service. */
export async function runService(
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
