/** Builds the site once, before all tests, because most of them read the same one. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the site. */
    site?: string;
  }
}

/** Runs before the tests; what it returns runs after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-site-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const build = fileURLToPath(new URL("../src/build.ts", import.meta.url));
    await promisify(execFile)(process.execPath, [build, "--out", folder]);
  } catch (error) {
    await remove();
    throw error;
  }
  project.provide("site", folder);
  return remove;
}
