/** One built site, one server and one Chromium for all system tests of a run. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findBrowser, quietFlags } from "@chain-query/browser";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { serveDocs } from "../src/serve.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the built site. */
    site: string;
    /** Address of the served site, without a trailing slash. */
    docs: string;
    /** WebSocket endpoint of the browser. */
    browser: string;
  }
}

const room = fileURLToPath(new URL("../", import.meta.url));
const dist = join(room, "dist");
const sources = [
  "src",
  "guides",
  "node_modules/@chain-query/openapi/",
  "node_modules/@chain-query/mock/dist",
  "node_modules/@chain-query/client/",
];

/** Runs before the first test; the function that it returns runs after the last one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), "chain-query-site-"));
  const folder = (await isFresh()) ? dist : join(home, "site");
  if (folder !== dist) await promisify(execFile)(process.execPath, [join(room, "src/build.ts"), "--out", folder]);
  const docs = await serveDocs({ root: folder });
  // No name resolves, so that the browser's own requests go nowhere either.
  const args = [...quietFlags, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
  const browser = await chromium.launchServer({ executablePath: await findBrowser(), args });
  project.provide("site", folder);
  project.provide("docs", docs.url);
  project.provide("browser", browser.wsEndpoint());
  return async () => {
    await browser.close();
    await docs.close();
    await rm(home, { recursive: true, force: true });
  };
}

/** Whether dist is newer than everything that it is made from. */
async function isFresh(): Promise<boolean> {
  const built = await stat(join(dist, "index.html")).catch(() => undefined);
  if (built === undefined) return false;
  const times = await Promise.all(sources.map((source) => newest(join(room, source))));
  return Math.max(...times) < built.mtimeMs;
}

async function newest(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const times = entries
    .filter(({ name }) => name !== "node_modules" && !name.startsWith("."))
    .map(async (entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? newest(path) : (await stat(path)).mtimeMs;
    });
  return Math.max(0, ...(await Promise.all(times)));
}
