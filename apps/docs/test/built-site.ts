/** The site, built into a folder of its own so that no test reads a stale or half-built one. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSite } from "../src/site.ts";

/** Builds the site; `dispose` takes it away again. */
export async function builtSite(): Promise<{ folder: string; dispose: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-site-"));
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await buildSite(pathToFileURL(`${folder}/`));
    return { folder, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
