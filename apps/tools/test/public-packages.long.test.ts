/** The public packages: their tarballs, SBOMs and licences. */
import { createHash } from "node:crypto";
import { readFileSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import { pack, sharedTarballs, type Tarballs } from "@chain-query/testing/services";
import { beforeAll, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { fileFaults, filesOf, sbomOf } from "../src/release/tarballs.ts";
import { licenceFaults, runtimeLicences } from "../src/supply-chain/dependencies.ts";
import { bundledPackages, publicPackages, root } from "../src/workspace/packages.ts";

const packages = publicPackages(root);
let packed: Tarballs;

beforeAll(async () => {
  packed = await sharedTarballs();
});

test("this package is built and tested after every public package", () => {
  expect(Object.keys(manifest.devDependencies)).toEqual(expect.arrayContaining(packages.map(({ name }) => name)));
});

test.for(packages)("$name ships what it may", (one) => {
  expect(fileFaults(one.name, filesOf(packed.paths[one.name] ?? ""))).toEqual([]);
});

test("the tarballs have the same bytes whenever they are packed", async () => {
  // A fresh clone has other times.
  for (const { folder } of packages) utimesSync(join(packed.copy, relative(root, folder), "README.md"), new Date(), new Date());
  const again = await pack(packed.copy, join(packed.copy, "second"));
  const digests = (paths: Tarballs["paths"]) =>
    Object.entries(paths).map(([name, path]) => [name, createHash("sha256").update(readFileSync(path)).digest("hex")]);
  expect(digests(packed.paths)).toHaveLength(packages.length);
  expect(digests(again)).toEqual(digests(packed.paths));
});

test("the SBOM of the mock names installed and bundled packages, and no tools", async () => {
  const mock = packages.find(({ name }) => name === "@chain-query/mock");
  const bundled = bundledPackages(mock?.folder ?? "").map(
    ({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`,
  );
  expect(bundled.length).toBeGreaterThan(10);
  const { components } = await sbomOf(root, "@chain-query/mock");
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
