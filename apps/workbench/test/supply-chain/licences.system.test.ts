import { expect, test } from "vitest";
import { licenceFaults, runtimeLicences } from "../../src/supply-chain/licences.ts";
import { root } from "../../src/workspace/packages.ts";

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
