import { unexplained } from "../body/judge-body.ts";
import type { BodiesReport, FileReport } from "../body/recorded-folder.ts";
import { printable } from "../preview.ts";
import { type Cell, tableOf } from "./text-table.ts";

/** The report as a table for people: a line for each body that conforms and for each deviation, then the sum. */
export function textOf(report: BodiesReport, { colored }: { colored: boolean }): string {
  const rows = report.files.flatMap(rowsOf);
  const lines = rows.length === 0 ? [] : [...tableOf(rows, colored), ""];
  const { knownDeviations } = report;
  if (knownDeviations.length > 0) {
    const known = knownDeviations.map(({ name, why }): Cell[] => [{ text: `  ${name}` }, { text: why }]);
    lines.push("Known deviations met:", ...tableOf(known, colored), "");
  }
  return `${[...lines, summaryOf(report)].join("\n")}\n`;
}

function rowsOf({ file, deviations }: FileReport): Cell[][] {
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

function summaryOf({ totals, skipped }: BodiesReport): string {
  const bodies = totals.bodies === 1 ? "1 body" : `${totals.bodies} bodies`;
  const counts = `${totals.conform} conform, ${totals.known} deviate in known ways, ${totals.unexplained} unexplained`;
  return `${bodies}: ${counts}${skipped.length === 0 ? "" : `; skipped: ${skipped.map(printable).join(", ")}`}`;
}
