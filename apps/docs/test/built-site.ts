/** The site, built into a folder of its own so that no test reads a stale or half-built one. */
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inject } from "vitest";
import { buildSite } from "../src/site.ts";
import type { SiteOptions } from "../src/site-options.ts";

export interface BuiltSite {
  folder: string;
  /** Paths of all files, as "guides/keys/index.html". */
  files: string[];
  /** Paths of all documents. */
  documents: string[];
  text: (path: string) => Promise<string>;
  dispose: () => Promise<void>;
}

/**
 * Builds the site, below a folder of the given name where one is named; `dispose` takes it away again. Where nothing is asked for, it
 * is a copy of the one that is built once for all tests.
 */
export async function builtSite(options: Partial<SiteOptions> = {}, below = ""): Promise<BuiltSite> {
  const home = await mkdtemp(join(tmpdir(), "chain-query-site-"));
  const folder = join(home, below);
  const dispose = (): Promise<void> => rm(home, { recursive: true, force: true });
  try {
    const once = inject("site");
    if (once !== undefined && Object.keys(options).length === 0) await cp(once, folder, { recursive: true });
    else await buildSite(pathToFileURL(`${folder}/`), options);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
    const documents = files.filter((file) => file.endsWith(".html"));
    return { folder, files, documents, text: (path) => readFile(join(folder, path), "utf8"), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
