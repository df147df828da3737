/** Installs the packed mock with npm in an empty folder, without a registry: everything that it needs is ours. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sharedFolder } from "@chain-query/testing/folders";
import { installTarballs } from "@chain-query/testing/services";
import { beforeAll, expect, test } from "vitest";

const names = ["@chain-query/command-line", "@chain-query/mock", "@chain-query/openapi"];
const folder = sharedFolder();

beforeAll(async () => {
  await installTarballs(folder, names, { flags: ["--offline"] });
});

const manifests = () =>
  globSync("node_modules/{*,@*/*}/package.json", { cwd: folder }).map((path) =>
    JSON.parse(readFileSync(join(folder, path), "utf8")),
  );

test("npm installs three packages of at most 10 MB, and runs no script of theirs", () => {
  const found = manifests();
  expect(found.map(({ name }) => name).sort()).toEqual(names);
  expect(found.flatMap(({ scripts = {} }) => Object.keys(scripts)).filter((name) => name.includes("install"))).toEqual([]);
  const sizes = globSync("node_modules/**", { cwd: folder }).map((path) => statSync(join(folder, path)));
  const bytes = sizes.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
  expect(bytes).toBeLessThan(10e6);
});

test("every bundled package is listed, with its licence", () => {
  const home = join(folder, "node_modules/@chain-query/mock");
  const bundled: { name: string; version: string; license: string }[] = JSON.parse(
    readFileSync(join(home, "dist/bundled.json"), "utf8"),
  );
  const texts = readFileSync(join(home, "dist/bundled-licenses.txt"), "utf8");
  expect(bundled).toContainEqual({ name: "@stoplight/prism-http", version: expect.any(String), license: "Apache-2.0" });
  for (const { name, version, license } of bundled) expect(texts).toContain(`${name} ${version}: ${license}\n`);
  // esbuild names the file of each module.
  const code = readFileSync(join(home, "dist/responses/prism.js"), "utf8");
  const inside = [...code.matchAll(/^\/\/ .*\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm)].map(([, name]) => name);
  expect([...new Set(inside)].sort()).toEqual(bundled.map(({ name }) => name).sort());
});

test("the installed command sends examples and generated responses", async () => {
  const child = spawn(join(folder, "node_modules/.bin/chain-query-mock"), ["--port", "0", "--quiet"], { cwd: folder });
  try {
    const [line] = await once(child.stdout, "data");
    const head = `${String(line).trim()}/api/v2/getMasterchainInfo`;
    for (const prefer of ["code=200", "dynamic=true"]) {
      const response = await fetch(head, { headers: { prefer } });
      expect(await response.json()).toMatchObject({ ok: true, result: { "@type": "blocks.masterchainInfo" } });
    }
  } finally {
    child.kill();
  }
});
