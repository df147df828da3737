/** The report as one HTML page without external resources. */

import { escapeMarkup } from "../json.ts";
import {
  decisionsById,
  describeRule,
  operationsIn,
  type Report,
  type ReportedViolation,
  type Result,
  totalsOf,
} from "./report.ts";

const style = `
:root { color-scheme: light dark; --line: #8884; --dim: #777; --good: #1a7f37; --bad: #cf222e; --so-so: #9a6700; --ground: #8881; }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --good: #57ab5a; --bad: #ff7b72; --so-so: #d4a72c; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.passed { color: var(--good); } .failed { color: var(--bad); } .na { color: var(--so-so); } .dim { color: var(--dim); }
.outcome { font-size: 1.15rem; font-weight: 600; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; } code, pre { font: .85em/1.5 ui-monospace, monospace; }
pre { background: var(--ground); border-radius: .3rem; padding: .6rem; white-space: pre-wrap; margin: .4rem 0; }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: .2rem .8rem; margin: .6rem 0 1.2rem; } dt { color: var(--dim); } dd { margin: 0; }
blockquote { border-left: 3px solid var(--line); margin: .6rem 0; padding-left: .8rem; color: var(--dim); }
`.trim();

export function htmlOf(report: Report): string {
  const { target, results } = report;
  const failed = results.filter(({ outcome }) => outcome === "failed");
  const notApplicable = results.filter(({ outcome }) => outcome === "not applicable");
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(`Conformance of ${target}`)}</title>`,
    `<style>${style}</style></head>`,
    "<body><main>",
    ...headOf(report),
    ...tableOf(report),
    ...(failed.length === 0 ? [] : ["<h2>Failed</h2>", ...failed.map(failureOf)]),
    ...(notApplicable.length === 0 ? [] : ["<h2>Not applicable</h2>", listOf(notApplicable, ({ reason = "" }) => reason)]),
    ...passedOf(report),
    "</main></body>",
    "</html>",
    "",
  ].join("\n");
}

function headOf({
  target,
  profile,
  totals,
  startedAt,
  milliseconds,
  requests,
  seed,
  interrupted,
  interruption,
  version,
}: Report): string[] {
  const [outcome, color] =
    totals.failed > 0
      ? [`${totals.failed} failed`, "failed"]
      : totals.passed > 0
        ? ["All passed", "passed"]
        : ["Nothing was checked", "na"];
  const reason = interruption === undefined ? "" : ` because ${interruption}`;
  const facts = [
    `profile ${profile}`,
    `${startedAt.slice(0, 19).replace("T", " ")} UTC`,
    ...(requests === 0 ? [] : [`${requests} requests`]),
    `${(milliseconds / 1000).toFixed(1)} s`,
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    `chain-query-conformance ${version}`,
  ];
  return [
    `<h1>Conformance of ${escapeMarkup(target)}</h1>`,
    `<p class="outcome ${color}">${outcome}${interrupted ? `, and the run was interrupted${escapeMarkup(reason)}` : ""}</p>`,
    `<p class="dim">${facts.map(escapeMarkup).join(" · ")}</p>`,
  ];
}

function tableOf(report: Report): string[] {
  const row = (name: string, { passed, failed, notApplicable }: Report["totals"], tag: string): string =>
    `<tr><${tag}>${escapeMarkup(name)}</${tag}><td class="n passed">${passed}</td>${number(failed, "failed")}${number(notApplicable, "na")}</tr>`;
  return [
    '<table><thead><tr><th scope="col">operation</th><th scope="col" class="n">passed</th><th scope="col" class="n">failed</th><th scope="col" class="n">not applicable</th></tr></thead><tbody>',
    ...operationsIn(report).map((operation) => row(operation, totalsOf(report.results, operation), "td")),
    `</tbody><tfoot>${row("all", report.totals, "th")}</tfoot></table>`,
  ];
}

function number(count: number, color: string): string {
  return `<td class="n ${count > 0 ? color : "dim"}">${count}</td>`;
}

function failureOf({ id, operation, description, rule, violations, omitted }: Result): string {
  return [
    `<details open><summary><strong class="failed">${escapeMarkup(id)}</strong> of ${escapeMarkup(operation)}: ${escapeMarkup(description)}</summary>`,
    `<blockquote><strong>${escapeMarkup(describeRule(rule))}</strong> ${escapeMarkup(decisionsById.get(rule)?.chosen ?? "")}</blockquote>`,
    ...violations.map((violation) => violationOf(violation, rule)),
    ...(omitted > 0 ? [`<p class="dim">and ${omitted} more</p>`] : []),
    "</details>",
  ].join("\n");
}

function violationOf({ request, expected, got, rule }: ReportedViolation, known: string): string {
  const contract = rule === known ? "" : `<dt>contract</dt><dd><code>${escapeMarkup(describeRule(rule))}</code></dd>`;
  return `<pre>${escapeMarkup(request)}</pre><dl><dt>expected</dt><dd>${escapeMarkup(expected)}</dd><dt>got</dt><dd>${escapeMarkup(got)}</dd>${contract}</dl>`;
}

function passedOf({ results }: Report): string[] {
  const passed = results.filter(({ outcome }) => outcome === "passed");
  if (passed.length === 0) return [];
  return [
    "<h2>Passed</h2>",
    `<details><summary>${passed.length} checks</summary>`,
    listOf(passed, ({ description }) => description),
    "</details>",
  ];
}

function listOf(results: readonly Result[], describe: (result: Result) => string): string {
  const rows = results.map(
    (result) =>
      `<tr><td><code>${escapeMarkup(result.id)}</code></td><td>${escapeMarkup(result.operation)}</td><td>${escapeMarkup(describe(result))}</td></tr>`,
  );
  return `<table><tbody>${rows.join("\n")}</tbody></table>`;
}
