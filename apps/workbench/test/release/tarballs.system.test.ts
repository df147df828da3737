import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import workbench from "../../package.json" with { type: "json" };
import { tarballFaults } from "../../src/release/tarballs.ts";
import { publicPackages, root } from "../../src/workspace/packages.ts";
import { mustPnpm } from "../../src/workspace/pnpm.ts";

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
  await mustPnpm(["--recursive", "pack", "--pack-destination", join(copy, "first")], copy);
});
afterAll(() => rmSync(copy, { recursive: true }));

const fileName = ({ name, version }: { name: string; version: string }) =>
  `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;

test("the workbench is built and tested after every public package", () => {
  expect(Object.keys(workbench.devDependencies)).toEqual(expect.arrayContaining(packages.map(({ name }) => name)));
});

test.for(packages)("$name ships what it may, with types that resolve", async (one) => {
  expect(await tarballFaults(one.name, join(copy, "first", fileName(one)))).toEqual([]);
});

test("a package has the same bytes whenever it is packed", async () => {
  const client = packages.find(({ name }) => name === "@chain-query/client") ?? expect.unreachable();
  const home = join(copy, relative(root, client.folder));
  // A fresh clone has other times.
  utimesSync(join(home, "README.md"), new Date(), new Date());
  await mustPnpm(["pack", "--pack-destination", join(copy, "second")], home);
  const digest = (folder: string) =>
    createHash("sha256")
      .update(readFileSync(join(copy, folder, fileName(client))))
      .digest("hex");
  expect(digest("second")).toBe(digest("first"));
});
