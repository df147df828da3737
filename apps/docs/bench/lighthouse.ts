/** Runs Lighthouse on a page, with its own process and browser. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBrowser, quietFlags } from "@chain-query/testing/browser";

/** Lighthouse simulates a slow phone on a slow network. */
export type Profile = "phone" | "desktop";

const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
export type Category = (typeof categories)[number];

export interface Measures {
  /** Each from 0 to 100. */
  scores: Record<Category, number>;
  /** Bytes over the wire, headers with them. */
  transferred: number;
  /** Milliseconds. */
  times: Record<"firstPaint" | "largestPaint" | "blocked", number>;
  /** Cumulative layout shift. */
  shift: number;
  /** Lighthouse's rating of the computer; far below 1000, the times depend more on the computer than on the page. */
  machine: number;
  /** Names of the audits that cost points, except performance. */
  failed: string[];
}

/** The members of a report that are used. */
interface Report {
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; numericValue?: number }>;
  environment: { benchmarkIndex: number };
}

const command = join(fileURLToPath(import.meta.resolve("lighthouse")), "../../cli/index.js");
const flags = [...quietFlags, "--headless=new", '--host-resolver-rules="MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"'];

/** Measures a page. The signal also ends the browser. */
export async function measured(url: string, profile: Profile, stop: AbortSignal): Promise<Measures> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-lighthouse-"));
  const file = join(folder, "report.json");
  try {
    await run(url, profile, file, await findBrowser(), stop);
    return measuresIn(JSON.parse(await readFile(file, "utf8")));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(url: string, profile: Profile, file: string, browser: string, stop: AbortSignal): Promise<void> {
  const options = [
    "--quiet",
    "--no-enable-error-reporting",
    `--only-categories=${categories.join(",")}`,
    "--output=json",
    `--output-path=${file}`,
    `--chrome-flags=${flags.join(" ")}`,
    ...(profile === "desktop" ? ["--preset=desktop"] : []),
  ];
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CHROME_PATH: browser };
    // On SIGINT Lighthouse ends its browser first.
    execFile(process.execPath, [command, url, ...options], { env, signal: stop, killSignal: "SIGINT" }, (error) =>
      error ? reject(error) : resolve(),
    );
  });
}

function measuresIn({ categories: rated, audits, environment }: Report): Measures {
  const number = (id: string): number => audits[id]?.numericValue ?? Number.NaN;
  const score = (category: Category): number => Math.round((rated[category].score ?? 0) * 100);
  const failed = categories
    .filter((category) => category !== "performance")
    .flatMap((category) => rated[category].auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id);
  return {
    scores: {
      performance: score("performance"),
      accessibility: score("accessibility"),
      "best-practices": score("best-practices"),
      seo: score("seo"),
    },
    transferred: number("total-byte-weight"),
    times: {
      firstPaint: number("first-contentful-paint"),
      largestPaint: number("largest-contentful-paint"),
      blocked: number("total-blocking-time"),
    },
    shift: number("cumulative-layout-shift"),
    machine: environment.benchmarkIndex,
    failed: [...new Set(failed)],
  };
}
