/** Checks the files of the tarball. publint and attw check it among those of all packages, before each release. */
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { entryPoints } from "./consumer.ts";
import type { Row } from "./rows.ts";

export function tarballRow(project: string): Row {
  const prove = () => checkFiles(join(project, "node_modules/@chain-query/client"));
  return { runtime: "tarball", version: packageJson.version, what: "dist, src and maps", prove };
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
