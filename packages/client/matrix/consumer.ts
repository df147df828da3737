/** Creates a project outside the workspace with the packed package installed, proves rows there, and checks the files of the package. */
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { startMock } from "@chain-query/mock";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { type RunOptions, runChecked, start } from "@chain-query/testing/processes";
import { installTarballs } from "@chain-query/testing/services";
import { transform } from "esbuild";
import { afterAll, beforeAll, test } from "vitest";
import clientPackage from "../package.json" with { type: "json" };
import { installed, peers } from "./cache.ts";
import { type Row, row } from "./command.ts";

/** Import specifiers of all entry points. */
const entryPoints: readonly string[] = Object.keys(clientPackage.exports)
  .filter((entry) => entry !== "./package.json")
  .map((entry) => clientPackage.name + entry.slice(1));

/** msw has ES modules only; in Deno it keeps the process alive, and workerd has no use for it. */
const portableEntryPoints: readonly string[] = entryPoints.filter((entry) => !entry.endsWith("/msw"));
/** What verifies answers is in packages that have ES modules only. */
const commonJsEntryPoints: readonly string[] = portableEntryPoints.filter((entry) => !entry.endsWith("/verify"));

/** The client, the packages of the commands, and those that they need. */
export const packed: readonly string[] = [
  "openapi",
  "types",
  "format",
  "proof",
  "client",
  "command-line",
  "mock",
  "conformance",
].map((name) => `@chain-query/${name}`);
const own = fileURLToPath(new URL("consumer/", import.meta.url));

/** A project with the packages, and the mock that its programs call. */
interface Consumer {
  /** For other projects. */
  readonly folder: string;
  readonly project: string;
  readonly mockUrl: string;
}

/** Makes a project, and a test of each row. Several test files share the rows, so that several workers do. */
export async function testRows(rowsOf: (consumer: Consumer) => readonly Row[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-matrix-"));
  const project = join(folder, "project");
  const mock = await startMock();
  beforeAll(() => makeConsumer(project, mock.url));
  afterAll(async () => {
    await mock.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  const rows = rowsOf({ folder, project, mockUrl: mock.url });
  test.for(rows)("$name", ({ prove }, { signal, skip }) => {
    const options = (own: Partial<RunOptions> = {}) => ({ cwd: project, signal, ...own, env: { ...process.env, ...own.env } });
    return prove({
      signal,
      skip,
      run: (command, args, own) => runChecked([command, ...args], options(own)),
      node: (...args) => runChecked([process.execPath, ...args], options()),
      start: (command, args, own) => start([command, ...args], options(own)),
      installed: async (name, packages, path) => join(await installed(name, packages, signal), "node_modules", path),
    });
  });
}

/** The programs call the mock at `baseUrl` and print one line of JSON. */
async function makeConsumer(folder: string, baseUrl: string): Promise<void> {
  await installTarballs(folder, packed, { others: peers, flags: ["--prefer-offline"] });

  const program = await readFile(join(own, "program.ts"), "utf8");
  const config = JSON.stringify({ baseUrl, examples: typicalExamples() });
  const types = await readFile(join(own, "types.ts"), "utf8");
  const files = {
    "program.js": (await transform(program, { loader: "ts", target: "es2022" })).code,
    "program.cjs": (await transform(program, { loader: "ts", target: "es2022", format: "cjs" })).code,
    "config.js": `export default ${config};\n`,
    "config.cjs": `exports.default = ${config};\n`,
    "import.js": importing(entryPoints) + print,
    "import-portable.js": importing(portableEntryPoints) + print,
    "require.cjs": requiring(commonJsEntryPoints) + print,
    "require.test.cjs": `${requiring(commonJsEntryPoints)}${jestTest}`,
    "import.test.mjs": `${importing(portableEntryPoints)}${jestTest}`,
    "react-native.js": `${importing(portableEntryPoints)}run(entries, config, false).then((report) => console.log(JSON.stringify(report)));\n`,
    "bundled.js": `${importing(portableEntryPoints)}export default (checksOptions) => run(entries, config, checksOptions);\n`,
    "types.ts": types,
    "types.cts": types,
    "types-msw.ts": await readFile(join(own, "types-msw.ts"), "utf8"),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** Throws if the report of a program has failures or too few checks. */
export function checkReport(report: string): void {
  const { checked, failures } = JSON.parse(report) as { checked: number; failures: string[] };
  if (failures.length > 0) throw new Error(failures.join("\n"));
  if (checked < 12) throw new Error(`only ${checked} things were checked`);
}

const jestTest = `test("all calls", async () => {
  const { checked, failures } = await run(entries, config, true);
  expect(failures).toEqual([]);
  expect(checked).toBeGreaterThan(12);
});
`;

const print = "run(entries, config, true).then((report) => console.log(JSON.stringify(report)));\n";

function importing(entries: readonly string[]): string {
  const names = [...entries, "./program.js", "./config.js"].map((from, index) => `import * as m${index} from "${from}";\n`);
  return names.join("") + table(entries, (_, index) => `m${index}`, `m${entries.length}`, `m${entries.length + 1}`);
}

function requiring(entries: readonly string[]): string {
  return table(entries, (entry) => `require("${entry}")`, 'require("./program.cjs")', 'require("./config.cjs")');
}

function table(
  entries: readonly string[],
  of: (entry: string, index: number) => string,
  program: string,
  config: string,
): string {
  const members = entries.map((entry, index) => `"${entry}": ${of(entry, index)}`).join(", ");
  return `const entries = { ${members} };\nconst { run } = ${program};\nconst { default: config } = ${config};\n`;
}

/** The first documented success of each operation, which the mock sends. */
function typicalExamples(): unknown[] {
  const successes = examples.filter(({ response }) => response.status === 200);
  return [...new Map(successes.toReversed().map((example) => [example.operationId, example])).values()];
}

export function tarballRow(project: string): Row {
  const prove = () => checkFiles(join(project, "node_modules/@chain-query/client"));
  return row("tarball", clientPackage.version, "dist, src and maps", prove);
}

/** Every entry point has code and types, every map leads to an existing source, and nothing else is shipped. */
async function checkFiles(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  const faults: string[] = [];
  for (const entry of entryPoints) {
    const name = entry.split("/")[2] ?? "index";
    const expected = ["js", "d.ts", "cjs", "d.cts"].map((end) => `dist/${name}.${end}`).concat(`src/${name}.ts`);
    faults.push(...expected.filter((file) => !files.includes(file)).map((file) => `${file} is missing`));
  }
  for (const file of files.filter((each) => /^dist\/.*\.(c?js|d\.c?ts)$/.test(each))) {
    if (!files.includes(`${file}.map`)) faults.push(`${file}.map is missing`);
  }
  for (const map of files.filter((each) => each.endsWith(".map"))) {
    const { sources } = JSON.parse(await readFile(join(folder, map), "utf8")) as { sources: string[] };
    const lost = sources.filter((source) => !files.includes(join(dirname(map), source)));
    faults.push(...lost.map((source) => `${map} leads to ${source}, which is missing`));
  }
  const expected = /^(dist|src)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
  faults.push(
    ...files.filter((file) => !expected.test(file) || /\.test(-d)?\./.test(file)).map((file) => `${file} is shipped`),
  );
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
