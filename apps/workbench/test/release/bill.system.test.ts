import { expect, test } from "vitest";
import { billOf } from "../../src/release/bill.ts";
import { bundledPackages, publicPackages, root } from "../../src/workspace/packages.ts";

test("the bill of the mock names what it installs and what it bundles, and no tool", async () => {
  const mock = publicPackages(root).find(({ name }) => name === "@chain-query/mock");
  const bundled = bundledPackages(mock?.folder ?? "").map(
    ({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`,
  );
  expect(bundled.length).toBeGreaterThan(10);
  const { components } = await billOf(root, "@chain-query/mock");
  const version = mock?.version;
  expect(components.map(({ purl }) => purl).sort()).toEqual(
    [`pkg:npm/%40chain-query/command-line@${version}`, `pkg:npm/%40chain-query/openapi@${version}`, ...bundled].sort(),
  );
});
