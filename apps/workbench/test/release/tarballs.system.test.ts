import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import workbench from "../../package.json" with { type: "json" };
import { tarballFaults } from "../../src/release/tarballs.ts";
import { publicPackages, root } from "../../src/workspace/packages.ts";
import { mustPnpm } from "../../src/workspace/pnpm.ts";

const packages = publicPackages(root);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "chain-query-tarballs-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function pack(home: string, name: string): Promise<string> {
  const path = join(folder, name);
  await mustPnpm(["pack", "--out", path], home);
  return path;
}

const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

test("the workbench is built and tested after every public package", () => {
  expect(Object.keys(workbench.devDependencies)).toEqual(expect.arrayContaining(packages.map(({ name }) => name)));
});

// Side by side, because most of the time goes into processes.
test.concurrent.for(packages)(
  "$name ships what it may, with types that resolve, and the same bytes whenever it is packed",
  async ({ name, folder: home }) => {
    const first = await pack(home, `${basename(home)}-1.tgz`);
    expect(await tarballFaults(name, first)).toEqual([]);
    // A fresh clone has other times.
    utimesSync(join(home, "README.md"), new Date(), new Date());
    expect(digest(await pack(home, `${basename(home)}-2.tgz`))).toBe(digest(first));
  },
);
