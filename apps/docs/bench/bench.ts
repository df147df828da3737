/** `pnpm bench docs`: build time, size of pages and Lighthouse scores, with goals. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serveDocs } from "@chain-query/docs/serve";
import { findBrowser, quietFlags } from "@chain-query/testing/browser";
import { chromium } from "playwright-core";
import { type Category, type Measures, measured, type Profile } from "./lighthouse.ts";
import { weightsOf } from "./weights.ts";

const runs = 3;
const profiles: Profile[] = ["phone", "desktop"];
const names: Record<Category, string> = {
  performance: "performance",
  accessibility: "accessibility",
  "best-practices": "best practices",
  seo: "SEO",
};
const usual: Record<Category, number> = { performance: 95, accessibility: 100, "best-practices": 95, seo: 100 };
const pages: readonly { path: string; name: string }[] = [
  { path: "", name: "landing" },
  { path: "guides/quick-start/", name: "guide, code" },
  { path: "guides/blocks-and-shards/", name: "guide, drawing" },
  { path: "guides/errors-and-retries/", name: "guide, tables" },
  { path: "client/", name: "client" },
  { path: "client/api/", name: "client, API" },
  { path: "errors/", name: "errors" },
  { path: "decisions/", name: "decisions" },
  { path: "playground/", name: "playground" },
  { path: "reference/lookupBlock/", name: "operation" },
  { path: "reference/getTransactionsStd/", name: "operation, long" },
  { path: "reference/", name: "reference" },
];

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => {
    process.exitCode = name === "SIGINT" ? 130 : 143;
    stop.abort();
  });
}

const home = await mkdtemp(join(tmpdir(), "chain-query-bench-"));
try {
  const seconds: number[] = [];
  for (let run = 0; run < runs; run++) seconds.push(await built(join(home, "site")));
  console.log(`build            ${median(seconds).toFixed(1)} s, median of ${runs}   goal ≤ 10 s`);

  const docs = await serveDocs({ root: join(home, "site") });
  try {
    await printWeights(docs.url);
    await printScores(docs.url);
  } finally {
    await docs.close();
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  await rm(home, { recursive: true, force: true });
}

/** Seconds of a build, including the start of its process. */
async function built(folder: string): Promise<number> {
  const start = performance.now();
  const script = fileURLToPath(new URL("../src/build.ts", import.meta.url));
  await promisify(execFile)(process.execPath, [script, "--out", folder], { signal: stop.signal });
  return (performance.now() - start) / 1000;
}

async function printWeights(url: string): Promise<void> {
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: quietFlags });
  try {
    const landing = await weightsOf(browser, `${url}/`);
    const reference = await weightsOf(browser, `${url}/reference/`);
    console.log(`landing          ${kilobytes(landing.all)}   goal ≤ 100 kB`);
    console.log(`reference        ${kilobytes(reference.all)}   goal ≤ 800 kB`);
    console.log(`  to first paint ${kilobytes(reference.toFirstPaint)}   goal ≤ 100 kB\n`);
  } finally {
    await browser.close();
  }
}

async function printScores(url: string): Promise<void> {
  const machine: number[] = [];
  const before = loadavg();
  const categories = Object.keys(names) as Category[];
  const head = ["page", "profile", ...Object.values(names), "first paint", "largest", "blocked", "shift", "kB", ""];
  const rows: string[][] = [];
  for (const { path, name } of pages) {
    for (const profile of profiles) {
      const all: Measures[] = [];
      for (let run = 0; run < runs; run++) {
        progress(`${name}, ${profile}, ${run + 1} of ${runs}`);
        all.push(await measured(`${url}/${path}`, profile, stop.signal));
      }
      const goals = { ...usual, performance: profile === "desktop" ? 100 : usual.performance };
      const value = (read: (measures: Measures) => number): number => median(all.map(read));
      rows.push([
        name,
        profile,
        ...categories.map((category) =>
          rated(
            value(({ scores }) => scores[category]),
            goals[category],
          ),
        ),
        ...(["firstPaint", "largestPaint", "blocked"] as const).map(
          (time) => `${(value(({ times }) => times[time]) / 1000).toFixed(2)} s`,
        ),
        rated(-value(({ shift }) => Number(shift.toFixed(3))), -0.02).replaceAll("-", ""),
        (value(({ transferred }) => transferred) / 1000).toFixed(0),
        [...new Set(all.flatMap(({ failed }) => failed))].join(", "),
      ]);
      machine.push(...all.map((measures) => measures.machine));
    }
  }
  progress("");
  printTable(head, rows);
  const load = [before, loadavg()].map(([minute = 0]) => minute.toFixed(1)).join(" and ");
  console.log(`Medians of ${runs} runs; a missed goal follows its figure. Load of the machine before and after: ${load}.`);
  console.log(
    `Lighthouse rates the machine at ${Math.min(...machine)} to ${Math.max(...machine)}; an idle laptop has 1500 and more.`,
  );
}

function rated(score: number, goal: number): string {
  return score >= goal ? String(score) : `${score} (goal ${goal})`;
}

/** Shows the current measurement on a terminal. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) => Math.max(3, cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  console.log([line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line), ""].join("\n"));
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
