/** Scripts, style sheets and pictures of the pages; their names carry a hash of the content, so that browsers may cache them indefinitely. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import type { SiteContent } from "./page.ts";

const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The browsers that style sheets are compiled for. */
export const styleTargets: string[] = ["chrome123", "firefox120", "safari17.5"];

/** Bundles an entry point: as a classic script, because browsers load no modules from a file: URL, or as a style sheet. */
export async function bundled(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    bundle: true,
    format: "iife",
    minify: true,
    target: "es2022",
    legalComments: "none",
    ...options,
    write: false,
  });
  return outputFiles?.[0]?.text ?? "";
}

/** Names a file by a hash of its content. */
export function hashedAsset(name: string, extension: string, content: string | Buffer): SiteContent {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: `assets/${name}.${hash}.${extension}`, content };
}

/** The style sheet and script that every page loads, the icon and the social card. */
export async function siteFiles(): Promise<{ paths: { style: string; script: string }; files: SiteContent[] }> {
  const style = hashedAsset("site", "css", await bundled({ entryPoints: [here("style/site.css")], target: styleTargets }));
  const script = hashedAsset("site", "js", await bundled({ entryPoints: [here("in-page/site.ts")] }));
  const pictures = ["favicon.svg", "social-card.png"].map(async (path) => ({
    path,
    content: await readFile(here(`assets/${path}`)),
  }));
  return { paths: { style: style.path, script: script.path }, files: [style, script, ...(await Promise.all(pictures))] };
}
