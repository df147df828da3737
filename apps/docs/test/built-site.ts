/** The built site as files. */
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of the site that the build of this package has made; no test may write to it. */
export const siteFolder: string = fileURLToPath(new URL("../dist", import.meta.url));
if (!existsSync(join(siteFolder, "index.html"))) {
  throw new Error(`${siteFolder} has no index.html; build the site first: pnpm build --filter=@chain-query/docs`);
}

interface BuiltSite {
  folder: string;
  /** Paths of all files, as "guides/keys/index.html". */
  files: string[];
  documents: string[];
  text: (path: string) => Promise<string>;
  packageJson: (name: string) => string;
}

export async function readSite(folder: string = siteFolder): Promise<BuiltSite> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return {
    folder,
    files,
    documents: files.filter((file) => file.endsWith(".html")),
    text: (path) => readFile(join(folder, path), "utf8"),
    packageJson: (name) => readFileSync(fileURLToPath(import.meta.resolve(`${name}/package.json`)), "utf8"),
  };
}
