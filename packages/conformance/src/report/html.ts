/** The report for people: one page that needs nothing but itself. */
import { decisions, named } from "../contract/decisions.ts";
import { escaped } from "./escape.ts";
import { operationsIn, type Report, type ReportedBreach, type Result, totalsOf } from "./report.ts";

const style = `
:root { color-scheme: light dark; --line: #8884; --dim: #777; --good: #1a7f37; --bad: #cf222e; --so-so: #9a6700; --ground: #8881; }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --good: #57ab5a; --bad: #ff7b72; --so-so: #d4a72c; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.passed { color: var(--good); } .failed { color: var(--bad); } .na { color: var(--so-so); } .dim { color: var(--dim); }
.verdict { font-size: 1.15rem; font-weight: 600; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; } code, pre { font: .85em/1.5 ui-monospace, monospace; }
pre { background: var(--ground); border-radius: .3rem; padding: .6rem; white-space: pre-wrap; margin: .4rem 0; }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: .2rem .8rem; margin: .6rem 0 1.2rem; } dt { color: var(--dim); } dd { margin: 0; }
blockquote { border-left: 3px solid var(--line); margin: .6rem 0; padding-left: .8rem; color: var(--dim); }
`.trim();

/** The whole report as one page. */
export function htmlOf(report: Report): string {
  const { subject, results } = report;
  const failed = results.filter(({ outcome }) => outcome === "failed");
  const unapplied = results.filter(({ outcome }) => outcome === "not applicable");
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(`Conformance of ${subject}`)}</title>`,
    `<style>${style}</style></head>`,
    "<body><main>",
    ...headOf(report),
    ...tableOf(report),
    ...(failed.length === 0 ? [] : ["<h2>Failed</h2>", ...failed.map(failureOf)]),
    ...(unapplied.length === 0 ? [] : ["<h2>Not applicable</h2>", listOf(unapplied, ({ why = "" }) => why)]),
    ...passedOf(report),
    "</main></body>",
    "</html>",
    "",
  ].join("\n");
}

function headOf({
  subject,
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
  const [verdict, color] =
    totals.failed > 0
      ? [`${totals.failed} failed`, "failed"]
      : totals.passed > 0
        ? ["All passed", "passed"]
        : ["Nothing was tried", "na"];
  const why = interruption === undefined ? "" : `, as ${interruption}`;
  const facts = [
    `profile ${profile}`,
    `${startedAt.slice(0, 19).replace("T", " ")} UTC`,
    ...(requests === 0 ? [] : [`${requests} requests`]),
    `${(milliseconds / 1000).toFixed(1)} s`,
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    `chain-query-conformance ${version}`,
  ];
  return [
    `<h1>Conformance of ${escaped(subject)}</h1>`,
    `<p class="verdict ${color}">${verdict}${interrupted ? `, and the run was interrupted${escaped(why)}` : ""}</p>`,
    `<p class="dim">${facts.map(escaped).join(" · ")}</p>`,
  ];
}

function tableOf(report: Report): string[] {
  const row = (name: string, { passed, failed, notApplicable }: Report["totals"], tag: string): string =>
    `<tr><${tag}>${escaped(name)}</${tag}><td class="n passed">${passed}</td>${number(failed, "failed")}${number(notApplicable, "na")}</tr>`;
  return [
    '<table><thead><tr><th scope="col">operation</th><th scope="col" class="n">passed</th><th scope="col" class="n">failed</th><th scope="col" class="n">not applicable</th></tr></thead><tbody>',
    ...operationsIn(report).map((operation) => row(operation, totalsOf(report.results, operation), "td")),
    `</tbody><tfoot>${row("together", report.totals, "th")}</tfoot></table>`,
  ];
}

function number(count: number, color: string): string {
  return `<td class="n ${count > 0 ? color : "dim"}">${count}</td>`;
}

function failureOf({ id, operation, says, law, breaches, more }: Result): string {
  return [
    `<details open><summary><strong class="failed">${escaped(id)}</strong> of ${escaped(operation)}: ${escaped(says)}</summary>`,
    `<blockquote><strong>${escaped(named(law))}</strong> ${escaped(decisions.get(law)?.chosen ?? "")}</blockquote>`,
    ...breaches.map((breach) => breachOf(breach, law)),
    ...(more > 0 ? [`<p class="dim">and ${more} more</p>`] : []),
    "</details>",
  ].join("\n");
}

function breachOf({ request, expected, got, law }: ReportedBreach, known: string): string {
  const contract = law === known ? "" : `<dt>contract</dt><dd><code>${escaped(named(law))}</code></dd>`;
  return `<pre>${escaped(request)}</pre><dl><dt>expected</dt><dd>${escaped(expected)}</dd><dt>got</dt><dd>${escaped(got)}</dd>${contract}</dl>`;
}

function passedOf({ results }: Report): string[] {
  const passed = results.filter(({ outcome }) => outcome === "passed");
  if (passed.length === 0) return [];
  return [
    "<h2>Passed</h2>",
    `<details><summary>${passed.length} checks</summary>`,
    listOf(passed, ({ says }) => says),
    "</details>",
  ];
}

function listOf(results: readonly Result[], tell: (result: Result) => string): string {
  const rows = results.map(
    (result) =>
      `<tr><td><code>${escaped(result.id)}</code></td><td>${escaped(result.operation)}</td><td>${escaped(tell(result))}</td></tr>`,
  );
  return `<table><tbody>${rows.join("\n")}</tbody></table>`;
}
