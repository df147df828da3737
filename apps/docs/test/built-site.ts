/** The built site as files. */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { SiteOptions } from "../src/site/options.ts";

export interface BuiltSite {
  folder: string;
  /** Paths of all files, as "guides/keys/index.html". */
  files: string[];
  /** Paths of all documents. */
  documents: string[];
  text: (path: string) => Promise<string>;
}

/** Folder of the site that the build of this package has made; no test may write to it. */
export const siteFolder: string = fileURLToPath(new URL("../dist", import.meta.url));
if (!existsSync(join(siteFolder, "index.html"))) {
  throw new Error(`${siteFolder} has no index.html; build the site first: pnpm build --filter=@chain-query/docs`);
}

/** A built site; default: the site that all tests share. */
export async function readSite(folder: string = siteFolder): Promise<BuiltSite> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const documents = files.filter((file) => file.endsWith(".html"));
  return { folder, files, documents, text: (path) => readFile(join(folder, path), "utf8") };
}

/** Builds a site with other options into a folder that is removed after use. */
export async function withSite(options: Partial<SiteOptions>, use: (site: BuiltSite) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-site-"));
  // Its modules take most of a second, and most tests build nothing.
  const { buildSite } = await import("../src/site.ts");
  try {
    await buildSite(pathToFileURL(`${folder}/`), options);
    await use(await readSite(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
