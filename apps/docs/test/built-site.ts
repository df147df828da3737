/** The built site as files. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inject } from "vitest";
import type { SiteOptions } from "../src/site/options.ts";
import { buildSite } from "../src/site.ts";

export interface BuiltSite {
  folder: string;
  /** Paths of all files, as "guides/keys/index.html". */
  files: string[];
  /** Paths of all documents. */
  documents: string[];
  text: (path: string) => Promise<string>;
}

/** The site that all tests of a run share; no test may write to it. */
export function sharedSite(): Promise<BuiltSite> {
  return siteIn(inject("site"));
}

/** Builds a site with other options into a folder that is removed after use. */
export async function withSite(options: Partial<SiteOptions>, use: (site: BuiltSite) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-site-"));
  try {
    await buildSite(pathToFileURL(`${folder}/`), options);
    await use(await siteIn(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function siteIn(folder: string): Promise<BuiltSite> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const documents = files.filter((file) => file.endsWith(".html"));
  return { folder, files, documents, text: (path) => readFile(join(folder, path), "utf8") };
}
