/** The built site as files, and the addresses in their text. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface BuiltSite {
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

/** Addresses that a browser loads with the page. */
export function fetched(html: string): string[] {
  return [
    ...[...html.matchAll(/<(?!a\b)[a-z][^>]*?\s(?:src|srcset|href|data|poster|action)="([^"]*)"/gi)].map(
      ([, address = ""]) => address,
    ),
    ...[...html.matchAll(/@import\s+(?:url\()?["']?([^"'); ]+)/gi)].map(([, address = ""]) => address),
    ...[...html.matchAll(/\burl\(\s*["']?([^"')]+)/gi)].map(([, address = ""]) => address),
    ...[...html.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/gi)].map(([, address = ""]) => address),
  ];
}

/** Addresses of links. */
export function linked(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/gi)].map(([, address = ""]) => address);
}

/** Whether an address is on another site. */
export function leavesSite(address: string): boolean {
  const base = "http://site.invalid/";
  const { protocol, origin } = new URL(address, base);
  return protocol !== "data:" && protocol !== "mailto:" && origin !== new URL(base).origin;
}
