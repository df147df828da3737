/** The packed packages in a project outside of the workspace: each runtime and tool of apps, and the commands on each Node.js. */
import { commandRows } from "../matrix/commands.ts";
import { testRows } from "../matrix/consumer.ts";
import { hermesRow, jestRows, metroRow, nextRow, parcelRow } from "../matrix/frameworks.ts";
import { jestJsdomRow, polyfillRows, vitestRows } from "../matrix/platforms.ts";
import { chromiumRow, runtimeRows, webkitRow, workerdRow } from "../matrix/runtimes.ts";

await testRows(({ project, mockUrl }) => [
  ...runtimeRows(project),
  ...commandRows(project),
  ...jestRows(project),
  ...polyfillRows(project),
  ...vitestRows(project),
  jestJsdomRow(project),
  metroRow(project),
  hermesRow(project),
  parcelRow(project),
  nextRow(project, mockUrl),
  workerdRow(project),
  chromiumRow(project),
  webkitRow(project),
]);
