/** The files of a built site, by the path that a request names. */
import { createHash } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { policyIn } from "./content-policy.ts";

/** One file, ready to be sent. */
export interface SiteFile {
  type: string;
  body: Buffer;
  gzipped: Buffer;
  /** Weak, because the plain and the compressed form share it. */
  etag: string;
  /** Whether the name carries a hash of the content, so that the content under this name never changes. */
  hashed: boolean;
  /** The content security policy that a page holds, for a header that says the same. */
  policy: string | undefined;
}

const compress = promisify(gzip);
const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
};

/**
 * Makes a lookup of the files below a folder: undefined where there is none, or where the path leads out of the folder. A file
 * is read again when it has changed, so that a rebuilt site shows at the next reload.
 *
 * @example
 * const fileAt = siteFiles("dist");
 * (await fileAt("/"))?.type; // "text/html; charset=utf-8"
 */
export function siteFiles(root: string): (path: string) => Promise<SiteFile | undefined> {
  const known = new Map<string, { changed: number; file: SiteFile }>();
  return async (path) => {
    const name = await nameInside(root, path);
    if (name === undefined) return undefined;
    const { mtimeMs } = await stat(name);
    const remembered = known.get(name);
    if (remembered?.changed === mtimeMs) return remembered.file;
    const file = await read(name);
    known.set(name, { changed: mtimeMs, file });
    return file;
  };
}

/** Follows links before it compares, so that neither `..`, however it is encoded, nor a link gets out. */
async function nameInside(root: string, path: string): Promise<string | undefined> {
  try {
    const decoded = decodeURIComponent(path);
    const name = await realpath(join(root, decoded.endsWith("/") ? `${decoded}index.html` : decoded));
    const inside = name.startsWith(`${await realpath(root)}${sep}`);
    return inside && (await stat(name)).isFile() ? name : undefined;
  } catch {
    return undefined;
  }
}

async function read(name: string): Promise<SiteFile> {
  return siteFile(name, await readFile(name));
}

/** Makes a file of a content, of the type that its name says. */
export async function siteFile(name: string, content: Buffer | string): Promise<SiteFile> {
  const body = Buffer.from(content);
  const type = types[extname(name)] ?? types[name] ?? "application/octet-stream";
  return {
    type,
    body,
    gzipped: await compress(body),
    etag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    hashed: /\.[0-9a-f]{16}\.\w+$/.test(name),
    policy: type.startsWith("text/html") ? policyIn(body.toString("utf8")) : undefined,
  };
}
