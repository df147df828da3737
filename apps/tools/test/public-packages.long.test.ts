/** The public packages: their tarballs, SBOMs and licences. */
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { fileFaults, filesOf, sbomOf } from "../src/release/tarballs.ts";
import { licenceFaults, runtimeLicences } from "../src/supply-chain/dependencies.ts";
import { bundledPackages, root } from "../src/workspace/packages.ts";
import { expectSameBytes, type PackedCopy, packages, packCopy } from "./packed-copy.ts";

let copy: PackedCopy;

beforeAll(async () => {
  copy = await packCopy();
});
afterAll(() => copy.remove());

test("this package is built and tested after every public package", () => {
  expect(Object.keys(manifest.devDependencies)).toEqual(expect.arrayContaining(packages.map(({ name }) => name)));
});

test.for(packages)("$name ships what it may", (one) => {
  expect(fileFaults(one.name, filesOf(copy.tarball(one)))).toEqual([]);
});

test.for(packages)("$name has the same bytes whenever it is packed", (one) => expectSameBytes(copy, one));

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
