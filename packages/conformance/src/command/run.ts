/** The two commands, and the progress of a run on stderr. */
import { CommandLineError, type Terminal as Streams, statusLine } from "@chain-query/command-line";
import { expectWritable, writeReports } from "../report/files.ts";
import { exitCodeOf } from "../report/report.ts";
import type { Plan, Progress } from "../service/validate-service.ts";
import type { BodiesCommand, ServiceCommand } from "./arguments.ts";

/** Output streams of a command, and the signal that ends it early. */
interface Terminal extends Streams {
  readonly colored: boolean;
  readonly signal: AbortSignal;
}

/** Runs a command and returns its exit code. */
export function run(command: BodiesCommand | ServiceCommand, terminal: Terminal): Promise<number> {
  return command.command === "bodies" ? runBodies(command, terminal) : runService(command, terminal);
}

// The validators are large; each command imports its own only.

async function runBodies({ folder, json, reports }: BodiesCommand, { stdout, colored }: Terminal): Promise<number> {
  const { operationIds } = await import("../body/validate-body.ts");
  const { reportOfBodies, validateBodies } = await import("../body/recorded-folder.ts");
  const { bodiesText } = await import("../report/text.ts");
  await expectWritable(reports);
  const startedAt = new Date();
  const report = await validateBodies(folder);
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

async function runService(
  { options, reports }: ServiceCommand,
  { stdout, stderr, colored, signal }: Terminal,
): Promise<number> {
  const { validateService } = await import("../service/validate-service.ts");
  const { serviceText } = await import("../report/text.ts");
  await expectWritable(reports);
  const progress = progressOn(stderr);
  const report = await validateService({ ...options, signal, onStart: progress.begin, onProgress: progress.show }).finally(
    progress.clear,
  );
  stdout.write(serviceText(report, { colored }));
  await writeReports(report, reports);
  return exitCodeOf(report);
}

/** Updates one line of a terminal; elsewhere prints one line at the start of a run with a limited rate. */
export function progressOn(stream: Terminal["stderr"]) {
  const { show, clear } = statusLine(stream);
  return {
    begin: ({ requests, requestsPerSecond }: Plan): void => {
      if (stream.isTTY || requestsPerSecond === 0) return;
      stream.write(`about ${requests} requests at ${requestsPerSecond} per second\n`);
    },
    show: ({ check, done, total, failed }: Progress): void =>
      show(`${done}/${total}${failed > 0 ? `, ${failed} failed` : ""}  ${check}`),
    clear: (): void => clear(),
  };
}
