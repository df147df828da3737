/** Writes reports into files. */
import { stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { htmlOf } from "./html.ts";
import { junitOf } from "./junit.ts";
import type { Report } from "./report.ts";

/** A report that is wanted, and where. */
export interface ReportFile {
  readonly form: ReportForm;
  readonly file: string;
}

export type ReportForm = "junit" | "json" | "html";

/** Thrown where a report cannot be written; the message says in one line which and why. */
export class ReportError extends Error {
  override readonly name = "ReportError";
}

const forms: Readonly<Record<ReportForm, (report: Report) => string>> = {
  junit: junitOf,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  html: htmlOf,
};

/** The forms that a report can have. */
export const reportForms: readonly string[] = Object.keys(forms);

export function isReportForm(text: string): text is ReportForm {
  return Object.hasOwn(forms, text);
}

/** Makes sure that there are folders to write into, before a long run and not after it. */
export async function expectWritable(files: readonly ReportFile[]): Promise<void> {
  for (const { file } of files) {
    const folder = await stat(dirname(file)).catch(() => undefined);
    if (!folder?.isDirectory())
      throw new ReportError(
        `cannot write the report ${JSON.stringify(file)}: there is no folder ${JSON.stringify(dirname(file))}`,
      );
    const present = await stat(file).catch(() => undefined);
    if (present?.isDirectory()) throw new ReportError(`cannot write the report ${JSON.stringify(file)}: it is a folder`);
  }
}

/** Writes the report into each file, in the form that is wanted there. */
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
