/** The files that all pages load, named by the hash of their content so that they can be cached for ever. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bundled, styleTargets } from "./bundle.ts";
import type { SiteContent } from "./page.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Names an asset by its content. */
export function hashedAsset(name: string, extension: string, content: string): SiteContent {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: `assets/${name}.${hash}.${extension}`, content };
}

/** The style sheet and the script of all pages, and the pictures that stand for the site elsewhere. */
export async function siteFiles(): Promise<{ paths: { style: string; script: string }; files: SiteContent[] }> {
  const style = hashedAsset("site", "css", await bundled({ entryPoints: [here("style/site.css")], target: styleTargets }));
  const script = hashedAsset("site", "js", await bundled({ entryPoints: [here("in-page/site.ts")] }));
  const pictures = ["favicon.svg", "social-card.png"].map(async (path) => ({
    path,
    content: await readFile(new URL(`assets/${path}`, import.meta.url)),
  }));
  return { paths: { style: style.path, script: script.path }, files: [style, script, ...(await Promise.all(pictures))] };
}
