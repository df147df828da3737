/** Writes reports to files. */
import { stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { htmlOf } from "./html.ts";
import { junitOf } from "./junit.ts";
import type { Report } from "./report.ts";

/** A report to write. */
export interface ReportFile {
  readonly form: ReportForm;
  readonly file: string;
}

export type ReportForm = "junit" | "json" | "html";

/** Thrown if a report cannot be written; the message names it and the reason in one line. */
class ReportError extends Error {
  override readonly name = "ReportError";
}

const forms: Readonly<Record<ReportForm, (report: Report) => string>> = {
  junit: junitOf,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  html: htmlOf,
};

export const reportForms: readonly string[] = Object.keys(forms);

export function isReportForm(text: string): text is ReportForm {
  return Object.hasOwn(forms, text);
}

/** Checks the folders of the files before a long run; throws ReportError if a file cannot be written. */
export async function expectWritable(files: readonly ReportFile[]): Promise<void> {
  for (const { file } of files) {
    const folder = await stat(dirname(file)).catch(() => undefined);
    if (!folder?.isDirectory())
      throw new ReportError(
        `cannot write the report ${JSON.stringify(file)}: the folder ${JSON.stringify(dirname(file))} does not exist`,
      );
    const present = await stat(file).catch(() => undefined);
    if (present?.isDirectory()) throw new ReportError(`cannot write the report ${JSON.stringify(file)}: it is a folder`);
  }
}

/** Writes the report to each file. */
export async function writeReports(report: Report, files: readonly ReportFile[]): Promise<void> {
  for (const { form, file } of files) {
    try {
      await writeFile(file, forms[form](report));
    } catch (error) {
      throw new ReportError(
        `cannot write the report ${JSON.stringify(file)}: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
}
