/** Checks the tarball with publint, attw and a list of its files. */
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import packageJson from "../package.json" with { type: "json" };
import { run } from "./command.ts";
import { entryPoints } from "./consumer.ts";
import type { Row } from "./rows.ts";

const home = fileURLToPath(new URL("../", import.meta.url));

export function tarballRows(tarball: string, project: string, signal: AbortSignal): Row[] {
  const { devDependencies, version } = packageJson;
  const row = (what: string, prove: () => Promise<void>): Row => ({ runtime: "tarball", version, what, prove });
  return [
    row("publint --strict", async () => {
      const bytes = await readFile(tarball);
      const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
      if (messages.length > 0) throw new Error(messages.map((message) => formatMessage(message, pkg)).join("\n"));
    }),
    row("attw --profile esm-only", async () => {
      if (!("@arethetypeswrong/cli" in devDependencies)) throw new Error("attw is not installed");
      const flags = ["--profile", "esm-only", "--no-definitely-typed", "--format", "ascii", "--no-color", "--no-emoji"];
      await run(join(home, "node_modules/.bin/attw"), [tarball, ...flags], { cwd: project, signal });
    }),
    row("dist, src and maps", () => checkFiles(join(project, "node_modules/@chain-query/client"))),
  ];
}

/** Every entry point has code and types, every map leads to an existing source, and nothing else is shipped. */
async function checkFiles(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  const faults: string[] = [];
  for (const entry of entryPoints) {
    const name = entry.split("/")[2] ?? "index";
    const expected = [`dist/${name}.js`, `dist/${name}.d.ts`, `src/${name}.ts`];
    faults.push(...expected.filter((file) => !files.includes(file)).map((file) => `${file} is missing`));
  }
  for (const file of files.filter((each) => /^dist\/.*\.(js|d\.ts)$/.test(each))) {
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
