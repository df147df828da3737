/** Writes reports to files: as JUnit XML for CI systems and as JSON. */

import { stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { UserError } from "@chain-query/command-line";
import { escapeMarkup } from "../json.ts";
import { describeRule, operationsIn, type Report, type Result, totalsOf } from "./report.ts";

function junitOf(report: Report): string {
  const { target, profile, totals, results, milliseconds, startedAt } = report;
  const counts = `tests="${results.length}" failures="${totals.failed}" errors="0" skipped="${totals.notApplicable}"`;
  const name = escapeMarkup(`chain-query-conformance ${profile} ${target}`);
  const suites = operationsIn(report).map((operation) => suiteOf(report, operation, startedAt));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}" ${counts} time="${seconds(milliseconds)}">`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteOf({ results }: Report, operation: string, startedAt: string): string {
  const own = results.filter((result) => result.operation === operation);
  const { failed, notApplicable } = totalsOf(own);
  const time = own.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const counts = `tests="${own.length}" failures="${failed}" errors="0" skipped="${notApplicable}"`;
  const open = `  <testsuite name="${escapeMarkup(operation)}" ${counts} time="${seconds(time)}" timestamp="${startedAt.slice(0, 19)}">`;
  return [open, ...own.map(caseOf), "  </testsuite>"].join("\n");
}

function caseOf(result: Result): string {
  const { id, operation, milliseconds, outcome, reason = "" } = result;
  const open = `    <testcase classname="${escapeMarkup(operation)}" name="${escapeMarkup(id)}" time="${seconds(milliseconds)}"`;
  if (outcome === "passed") return `${open}/>`;
  const inside = outcome === "failed" ? failureOf(result) : `      <skipped message="${escapeMarkup(reason)}"/>`;
  return [`${open}>`, inside, "    </testcase>"].join("\n");
}

function failureOf({ description, rule, violations, omitted }: Result): string {
  const [first] = violations;
  const message = escapeMarkup(`${description}: expected ${first?.expected}, got ${first?.got}`);
  const text = violations
    .map(({ request, expected, got, rule }) => [
      `request: ${request}`,
      `expected: ${expected}`,
      `got: ${got}`,
      `contract: ${describeRule(rule)}`,
    ])
    .map((lines) => lines.map(escapeMarkup).join("\n"))
    .join("\n\n");
  return `      <failure type="${escapeMarkup(rule)}" message="${message}">${text}${omitted > 0 ? `\n\nand ${omitted} more` : ""}</failure>`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** A report to write. */
export interface ReportFile {
  readonly form: ReportForm;
  readonly file: string;
}

type ReportForm = "junit" | "json";

const forms: Readonly<Record<ReportForm, (report: Report) => string>> = {
  junit: junitOf,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
};

export const reportForms: readonly string[] = Object.keys(forms);

export function isReportForm(text: string): text is ReportForm {
  return Object.hasOwn(forms, text);
}

/** Checks the folders of the files before a long run; throws a UserError if a file cannot be written. */
export async function expectWritable(files: readonly ReportFile[]): Promise<void> {
  for (const { file } of files) {
    const folder = await stat(dirname(file)).catch(() => undefined);
    if (!folder?.isDirectory())
      throw new UserError(
        `cannot write the report ${JSON.stringify(file)}: the folder ${JSON.stringify(dirname(file))} does not exist`,
      );
    const present = await stat(file).catch(() => undefined);
    if (present?.isDirectory()) throw new UserError(`cannot write the report ${JSON.stringify(file)}: it is a folder`);
  }
}

/** Writes the report to each file. */
export async function writeReports(report: Report, files: readonly ReportFile[]): Promise<void> {
  for (const { form, file } of files) {
    try {
      await writeFile(file, forms[form](report));
    } catch (error) {
      throw new UserError(`cannot write the report ${JSON.stringify(file)}: ${error instanceof Error ? error.message : error}`);
    }
  }
}
