/**
 * Bundles scripts and style sheets and names them by a content hash, so that browsers can cache them indefinitely. The icon and the
 * social card keep fixed names.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import type { SiteFile } from "./page.ts";

const sourceFile = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The first browsers with `light-dark()`, which all colours use. */
export const styleTargets: string[] = ["chrome123", "firefox120", "safari17.5"];

/** The oldest browsers of the client. */
const scriptTargets = ["chrome93", "firefox92", "safari15.4"];

/**
 * Bundles a script or style sheet. Scripts are classic, so that their page needs no more requests.
 *
 * @throws If a regular expression has syntax that the oldest browsers cannot parse, such as a lookbehind.
 */
export async function bundled(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    bundle: true,
    format: "iife",
    minify: true,
    target: scriptTargets,
    logOverride: { "unsupported-regexp": "error" },
    legalComments: "none",
    ...options,
    write: false,
  });
  return outputFiles?.[0]?.text ?? "";
}

/** Names a file by a hash of its content. */
export function hashedAsset(name: string, extension: string, content: string | Buffer): SiteFile {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: `assets/${name}.${hash}.${extension}`, content };
}

/** The style sheet and script that every page loads, the icon and the social card. */
export async function siteFiles(): Promise<{ paths: { style: string; script: string }; files: SiteFile[] }> {
  const style = hashedAsset(
    "site",
    "css",
    await bundled({ entryPoints: [sourceFile("style/site.css")], target: styleTargets }),
  );
  const script = hashedAsset("site", "js", await bundled({ entryPoints: [sourceFile("client-scripts/site.ts")] }));
  const images = ["favicon.svg", "social-card.png"].map(async (path) => ({
    path,
    content: await readFile(sourceFile(`assets/${path}`)),
  }));
  return { paths: { style: style.path, script: script.path }, files: [style, script, ...(await Promise.all(images))] };
}
