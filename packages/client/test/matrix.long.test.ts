/** The packed packages in a project outside of the workspace: each compiler, runtime and tool of apps, and the commands on each Node.js. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMock } from "@chain-query/mock";
import { afterAll, beforeAll, test } from "vitest";
import { commandRows } from "../matrix/commands.ts";
import { declarationRows, typescriptRows } from "../matrix/compilers.ts";
import { makeConsumer, tarballRow } from "../matrix/consumer.ts";
import { jestRows, metroRow, nextRow } from "../matrix/frameworks.ts";
import { jestJsdomRow, polyfillRows, vitestRows } from "../matrix/platforms.ts";
import { chromiumRow, runtimeRows, workerdRow } from "../matrix/runtimes.ts";

const folder = mkdtempSync(join(tmpdir(), "chain-query-matrix-"));
const project = join(folder, "project");
const mock = await startMock();

beforeAll(() => makeConsumer(project, mock.url));
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

const rows = [
  tarballRow(project),
  ...typescriptRows(project),
  ...declarationRows(folder),
  ...runtimeRows(project),
  ...commandRows(project),
  ...jestRows(project),
  ...polyfillRows(project),
  ...vitestRows(project),
  jestJsdomRow(project),
  metroRow(project),
  nextRow(project, mock.url),
  workerdRow(project),
  chromiumRow(project),
];

test.for(rows.map((row) => ({ ...row, name: [row.runtime, row.version, row.what].filter(Boolean).join(" ") })))(
  "$name",
  ({ prove }, { signal }) => prove(signal),
);
