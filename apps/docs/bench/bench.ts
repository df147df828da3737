/** `pnpm bench docs`: build time, and Lighthouse scores of a page of each kind, with goals. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serveDocs } from "@chain-query/docs/serve";
import { findBrowser, quietFlags } from "@chain-query/testing/browser";

const run = promisify(execFile);
const goals = { performance: 95, accessibility: 100, "best-practices": 95, seo: 100 } as const;
type Category = keyof typeof goals;
const categories = Object.keys(goals) as Category[];
const pages = [
  "",
  "guides/quick-start/",
  "guides/blocks-and-shards/",
  "guides/errors-and-retries/",
  "client/",
  "client/api/",
].concat([
  "errors/",
  "decisions/",
  "playground/",
  "reference/",
  "reference/lookupBlock/",
  "reference/getTransactionsStd/",
  "reference/all/",
]);
const lighthouse = join(fileURLToPath(import.meta.resolve("lighthouse")), "../../cli/index.js");
const chromeFlags = [...quietFlags, "--headless=new", '--host-resolver-rules="MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"'];

const home = await mkdtemp(join(tmpdir(), "chain-query-bench-"));
try {
  const site = join(home, "site");
  const start = performance.now();
  await run(process.execPath, [fileURLToPath(new URL("../src/build.ts", import.meta.url)), "--out", site]);
  console.log(`build ${((performance.now() - start) / 1000).toFixed(1)} s   goal ≤ 10 s\n`);
  await using docs = await serveDocs({ root: site });
  console.log(
    `| page on a phone | ${categories.join(" | ")} | kB |\n| --- | ${categories.map(() => "---").join(" | ")} | --- |`,
  );
  for (const path of pages) console.log(`| /${path} | ${(await measure(`${docs.url}/${path}`)).join(" | ")} |`);
} finally {
  await rm(home, { recursive: true, force: true });
}

/** The scores of a page on a slow phone and network, each with its goal if it is missed, and the transferred kB. */
async function measure(url: string): Promise<string[]> {
  const file = join(home, "report.json");
  const flags = ["--quiet", "--no-enable-error-reporting", `--only-categories=${categories}`, "--output=json"];
  const args = [lighthouse, url, ...flags, `--output-path=${file}`, `--chrome-flags=${chromeFlags.join(" ")}`];
  await run(process.execPath, args, { env: { ...process.env, CHROME_PATH: await findBrowser() } });
  const report = JSON.parse(await readFile(file, "utf8"));
  const scores = categories.map((category) => {
    const score = Math.round(report.categories[category].score * 100);
    return score >= goals[category] ? String(score) : `${score} (goal ${goals[category]})`;
  });
  return [...scores, (report.audits["total-byte-weight"].numericValue / 1000).toFixed(0)];
}
