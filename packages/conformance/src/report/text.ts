/** The report for a terminal: a table by operation, then each failure. */
import { named } from "../contract/decisions.ts";
import { printable } from "../preview.ts";
import { operationsIn, type Report, type Result, totalsOf } from "./report.ts";
import { type Cell, tableOf } from "./text-table.ts";

/** The whole report in lines. */
export function textOfService(report: Report, { colored }: { colored: boolean }): string {
  const lines = [...tableOf(rowsOf(report), colored), ""];
  const unapplied = report.results.filter(({ outcome }) => outcome === "not applicable");
  if (unapplied.length > 0) {
    lines.push(
      "Not applicable:",
      ...tableOf(
        unapplied.map(({ id, why = "" }) => [{ text: `  ${id}` }, { text: printable(why) }]),
        colored,
      ),
      "",
    );
  }
  for (const result of report.results) if (result.outcome === "failed") lines.push(...failureLines(result), "");
  return `${[...lines, summaryOf(report)].join("\n")}\n`;
}

function rowsOf(report: Report): Cell[][] {
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

function failureLines({ id, operation, says, law, breaches, more }: Result): string[] {
  const shown = breaches.flatMap((breach) => [
    `  request   ${printable(breach.request)}`,
    `  expected  ${printable(breach.expected)}`,
    `  got       ${printable(breach.got)}`,
    ...(breach.law === law ? [] : [`  contract  ${named(breach.law)}`]),
  ]);
  const rest = more === 0 ? [] : [`  and ${more} more`];
  return [`FAILED ${id} of ${operation}: ${says} (${named(law)})`, ...shown, ...rest];
}

/** The sum in one line, or two where the run was not through. */
function summaryOf({ subject, profile, totals, milliseconds, requests, seed, interrupted, interruption }: Report): string {
  const counts = `${totals.passed} passed, ${totals.failed} failed, ${totals.notApplicable} not applicable`;
  const cost = `${requests} requests, ${(milliseconds / 1000).toFixed(1)} s${seed === undefined ? "" : `, seed ${seed}`}`;
  const why = interruption === undefined ? "" : `, as ${interruption}`;
  const cut = interrupted ? `Interrupted${why}: what stands above is what was found until then.\n` : "";
  return `${cut}${subject}, ${profile}: ${counts} (${cost})`;
}
