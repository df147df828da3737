/** `pnpm test:matrix`: checks the packed package with compilers, runtimes, a browser and the tools of apps. */
import { mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startMock } from "@chain-query/mock";
import { cacheFolder } from "./cache.ts";
import type { Row } from "./command.ts";
import { commandRows } from "./commands.ts";
import { declarationRows, typescriptRows } from "./compilers.ts";
import { makeConsumer, pack, tarballRow } from "./consumer.ts";
import { jestRows, metroRow, nextRow } from "./frameworks.ts";
import { jestJsdomRow, polyfillRows, vitestRows } from "./platforms.ts";
import { chromiumRow, runtimeRows, workerdRow } from "./runtimes.ts";

const help = `Packs the client, installs it in a project outside the workspace, and checks it with every compiler and runtime, and
with Jest, Metro and Next.js. Runs mock and conformance test on every Node.js.

  pnpm test:matrix [WORD...]   all rows, or those whose text holds one of the words: node, deno, require, bundler, 26.

Runtimes are downloaded once into ${cacheFolder()}; CHAIN_QUERY_CACHE names another folder.`;

const line = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => cell.padEnd([12, 14, 24, 7][index] ?? 0))
    .join(" ")
    .trimEnd();

process.exitCode = await main();

async function main(): Promise<number> {
  let words: string[];
  try {
    const { values, positionals } = parseArgs({
      options: { help: { type: "boolean", short: "h", default: false } },
      allowPositionals: true,
    });
    if (values.help) {
      console.log(help);
      return 0;
    }
    words = positionals;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`${error.message.split(". ")[0]}; see --help`);
    return 2;
  }

  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => stop.abort(name));
  try {
    return await prove(words, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return 128 + (constants.signals[stop.signal.reason as NodeJS.Signals] ?? 0);
  }
}

async function prove(words: readonly string[], signal: AbortSignal): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-matrix-"));
  await using mock = await startMock();
  try {
    const project = join(folder, "project");
    const packed = await pack(folder, signal);
    await makeConsumer(project, packed, mock.url, signal);
    const rows = [
      tarballRow(project),
      ...typescriptRows(project, signal),
      ...declarationRows(folder, packed, signal),
      ...runtimeRows(project, signal),
      ...commandRows(project, signal),
      ...jestRows(project, signal),
      ...polyfillRows(project, signal),
      ...vitestRows(project, signal),
      jestJsdomRow(project, signal),
      metroRow(project, signal),
      nextRow(project, mock.url, signal),
      workerdRow(project, signal),
      chromiumRow(project, signal),
    ].filter((row) => words.length === 0 || words.some((word) => textOf(row).includes(word)));
    if (rows.length === 0) {
      console.error(`no row contains ${words.join(" or ")}; see --help`);
      return 2;
    }
    return (await runRows(rows, signal)) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function textOf({ runtime, version, what }: Row): string {
  return `${runtime} ${version} ${what}`;
}

/** Runs rows, a few at a time, and prints each result, then the count. Resolves to whether all passed. */
async function runRows(rows: readonly Row[], signal: AbortSignal, atATime = 2): Promise<boolean> {
  console.log(line(["runtime", "version", "what", "result", "seconds"]));
  const waiting = [...rows];
  let passed = 0;
  async function work(): Promise<void> {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const started = performance.now();
      const failure = await row.prove().then(
        () => undefined,
        (error: unknown) => error,
      );
      signal.throwIfAborted();
      const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(7);
      console.log(line([row.runtime, row.version, row.what, failure === undefined ? "ok" : "failed", seconds]));
      if (failure === undefined) passed++;
      else console.log(indented(failure));
    }
  }
  await Promise.all(Array.from({ length: atATime }, work));
  console.log(`${passed} passed, ${rows.length - passed} failed`);
  return passed === rows.length;
}

function indented(failure: unknown): string {
  const text = failure instanceof Error ? failure.message : String(failure);
  const lines = text.split("\n");
  return [...lines.slice(0, 30), ...(lines.length > 30 ? [`… ${lines.length - 30} more lines`] : [])]
    .map((each) => `    ${each}`)
    .join("\n");
}
