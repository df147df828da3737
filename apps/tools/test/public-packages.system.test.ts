/** The public packages: their tarballs, SBOMs and licences. */
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { makeSbom } from "../src/release/sbom.ts";
import { tarballFaults } from "../src/release/tarballs.ts";
import { licenceFaults, runtimeLicences } from "../src/supply-chain/dependencies.ts";
import { bundledPackages, publicPackages, root } from "../src/workspace/packages.ts";
import { runPnpm } from "../src/workspace/processes.ts";

const packages = publicPackages(root);
/** A copy of the workspace, because packing the server writes into its dist. */
let copy: string;

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), "chain-query-tarballs-"));
  const kept = (path: string) => !/^(node_modules|\.reports|\.turbo)$/.test(basename(path));
  for (const path of ["package.json", "pnpm-workspace.yaml", "LICENSE", "apps/docs/dist"]) {
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
  for (const { folder } of packages) {
    const home = join(copy, relative(root, folder));
    cpSync(folder, home, { recursive: true, filter: kept });
    symlinkSync(join(folder, "node_modules"), join(home, "node_modules"));
  }
  await runPnpm(["--recursive", "pack", "--pack-destination", join(copy, "first")], copy);
});
afterAll(() => rmSync(copy, { recursive: true }));

const fileName = ({ name, version }: { name: string; version: string }) =>
  `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;

test("this package is built and tested after every public package", () => {
  expect(Object.keys(manifest.devDependencies)).toEqual(expect.arrayContaining(packages.map(({ name }) => name)));
});

test.for(packages)("$name ships what it may, with types that resolve", async (one) => {
  expect(await tarballFaults(one.name, join(copy, "first", fileName(one)))).toEqual([]);
});

test("a package has the same bytes whenever it is packed", async () => {
  const client = packages.find(({ name }) => name === "@chain-query/client") ?? expect.unreachable();
  const home = join(copy, relative(root, client.folder));
  // A fresh clone has other times.
  utimesSync(join(home, "README.md"), new Date(), new Date());
  await runPnpm(["pack", "--pack-destination", join(copy, "second")], home);
  const digest = (folder: string) =>
    createHash("sha256")
      .update(readFileSync(join(copy, folder, fileName(client))))
      .digest("hex");
  expect(digest("second")).toBe(digest("first"));
});

test("the SBOM of the mock names installed and bundled packages, and no tools", async () => {
  const mock = packages.find(({ name }) => name === "@chain-query/mock");
  const bundled = bundledPackages(mock?.folder ?? "").map(
    ({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`,
  );
  expect(bundled.length).toBeGreaterThan(10);
  const { components } = await makeSbom(root, "@chain-query/mock");
  const version = mock?.version;
  expect(components.map(({ purl }) => purl).sort()).toEqual(
    [`pkg:npm/%40chain-query/command-line@${version}`, `pkg:npm/%40chain-query/openapi@${version}`, ...bundled].sort(),
  );
});

test("the licences of all run-time dependencies are accepted, and tools are not looked at", async () => {
  const found = await runtimeLicences(root);
  const names = found.map(({ name }) => name);
  // A dependency of a dependency.
  expect(names).toEqual(expect.arrayContaining(["lmdb", "msgpackr"]));
  // In a bundle.
  expect(names).toEqual(expect.arrayContaining(["@stoplight/prism-http", "lodash"]));
  for (const tool of ["vitest", "turbo", "typescript"]) expect(names).not.toContain(tool);
  expect(licenceFaults(found)).toEqual([]);
});
