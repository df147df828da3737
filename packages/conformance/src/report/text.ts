/** The reports for a terminal: of a service and of recorded bodies. */
import { styleText } from "node:util";
import type { BodiesReport, FileReport } from "../body/recorded-folder.ts";
import { unexplained } from "../body/validate-body.ts";
import { printable } from "../json.ts";
import { describeRule, operationsIn, type Report, type Result, totalsOf } from "./report.ts";

interface Options {
  readonly colored: boolean;
}

/** A table by operation, then each failure, then the totals. */
export function serviceText(report: Report, { colored }: Options): string {
  const lines = [...tableOf(operationRows(report), colored), ""];
  const notApplicable = report.results.filter(({ outcome }) => outcome === "not applicable");
  if (notApplicable.length > 0) {
    const rows = notApplicable.map(({ id, reason = "" }): Cell[] => [{ text: `  ${id}` }, { text: printable(reason) }]);
    lines.push("Not applicable:", ...tableOf(rows, colored), "");
  }
  for (const result of report.results) if (result.outcome === "failed") lines.push(...failureLines(result), "");
  return `${[...lines, serviceTotals(report)].join("\n")}\n`;
}

/** A line for each body that conforms and for each deviation, then the known deviations, then the totals. */
export function bodiesText({ files, knownDeviations, totals, skipped }: BodiesReport, { colored }: Options): string {
  const rows = files.flatMap(bodyRows);
  const lines = rows.length === 0 ? [] : [...tableOf(rows, colored), ""];
  if (knownDeviations.length > 0) {
    const known = knownDeviations.map(({ name, reason }): Cell[] => [{ text: `  ${name}` }, { text: reason }]);
    lines.push("Known deviations met:", ...tableOf(known, colored), "");
  }
  const bodies = totals.bodies === 1 ? "1 body" : `${totals.bodies} bodies`;
  const counts = `${totals.conform} conform, ${totals.known} deviate in known ways, ${totals.unexplained} unexplained`;
  const rest = skipped.length === 0 ? "" : `; skipped: ${skipped.map(printable).join(", ")}`;
  return `${[...lines, `${bodies}: ${counts}${rest}`].join("\n")}\n`;
}

function operationRows(report: Report): Cell[][] {
  const head = ["operation", "passed", "failed", "not applicable"].map((text): Cell => ({ text, color: "dim" }));
  const rows = operationsIn(report).map((operation): Cell[] => {
    const { passed, failed, notApplicable } = totalsOf(report.results, operation);
    return [
      { text: operation },
      { text: String(passed), color: "green" },
      { text: String(failed), color: failed > 0 ? "red" : "dim" },
      { text: String(notApplicable), color: notApplicable > 0 ? "yellow" : "dim" },
    ];
  });
  return [head, ...rows];
}

function failureLines({ id, operation, description, rule, violations, omitted }: Result): string[] {
  const shown = violations.flatMap((violation) => [
    `  request   ${printable(violation.request)}`,
    `  expected  ${printable(violation.expected)}`,
    `  got       ${printable(violation.got)}`,
    ...(violation.rule === rule ? [] : [`  contract  ${describeRule(violation.rule)}`]),
  ]);
  const rest = omitted === 0 ? [] : [`  and ${omitted} more`];
  return [`FAILED ${id} of ${operation}: ${description} (${describeRule(rule)})`, ...shown, ...rest];
}

/** One line, or two if the run was interrupted. */
function serviceTotals(report: Report): string {
  const { target, profile, totals, milliseconds, requests, seed, interrupted, interruption } = report;
  const counts = `${totals.passed} passed, ${totals.failed} failed, ${totals.notApplicable} not applicable`;
  const cost = `${requests} requests, ${(milliseconds / 1000).toFixed(1)} s${seed === undefined ? "" : `, seed ${seed}`}`;
  const reason = interruption === undefined ? "" : ` because ${interruption}`;
  const note = interrupted ? `Interrupted${reason}: the report contains only what was found until then.\n` : "";
  return `${note}${target}, ${profile}: ${counts} (${cost})`;
}

function bodyRows({ file, deviations }: FileReport): Cell[][] {
  const name: Cell = { text: printable(file) };
  if (deviations.length === 0) return [[name, { text: "conforms", color: "green" }]];
  return deviations.map(({ path, expected, got, match }) => [
    name,
    { text: "deviates", color: match === unexplained ? "red" : "yellow" },
    { text: path === "" ? "(the body)" : printable(path) },
    { text: `expected ${expected}, got ${got}` },
    match === unexplained ? { text: unexplained, color: "red" } : { text: `known: ${match}`, color: "dim" },
  ]);
}

interface Cell {
  readonly text: string;
  readonly color?: "green" | "yellow" | "red" | "dim";
}

/** A cell wider than this does not widen its column. */
const widestColumn = 80;

/** Lines with aligned columns; colours do not count for the width. */
function tableOf(rows: readonly Cell[][], colored: boolean): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach(({ text }, column) => {
      const width = Math.min(text.length, widestColumn);
      if (width > (widths[column] ?? 0)) widths[column] = width;
    });
  }
  return rows.map((row) =>
    row
      .map(({ text, color }, column) => {
        const padding = column === row.length - 1 ? "" : " ".repeat(Math.max(0, (widths[column] ?? 0) - text.length));
        // The caller knows whether the output is a terminal; styleText would look at process.stdout.
        const shown = colored && color !== undefined ? styleText(color, text, { validateStream: false }) : text;
        return shown + padding;
      })
      .join("  "),
  );
}
