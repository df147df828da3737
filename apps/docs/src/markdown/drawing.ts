/** Renders drawings: inline in HTML, so that they have the colours of the page, and as text in Markdown versions. */
import { readFileSync } from "node:fs";
import { html, raw } from "../site/html.ts";

/** Renders a drawing as HTML. Throws if it has no title and description, which screen readers need. */
export function renderDrawing(file: URL, caption: string): string {
  const svg = readFileSync(file, "utf8").trim();
  const name = /([^/]+)\.svg$/.exec(file.pathname)?.[1] ?? "drawing";
  if (!/<title>[^<]+<\/title>\s*<desc>[^<]+<\/desc>/.test(svg)) throw new Error("expected a drawing with title and desc");
  const labelled = svg
    .replace("<svg ", `<svg role="img" aria-labelledby="${name}-title" aria-describedby="${name}-desc" `)
    .replace("<title>", `<title id="${name}-title">`)
    .replace("<desc>", `<desc id="${name}-desc">`);
  return html`<figure class="drawing" tabindex="0">${raw(labelled)}${caption && html`<figcaption>${caption}</figcaption>`}</figure>`
    .html;
}

/** Describes a drawing by its caption and description. */
export function describeDrawing(file: URL, caption: string): string {
  const svg = readFileSync(file, "utf8");
  const description = /<desc>([^<]*)<\/desc>/.exec(svg)?.[1]?.replaceAll(/\s+/g, " ").trim() ?? "";
  return `> Drawing: ${caption}${/[.!?]$/.test(caption) ? "" : "."} ${description}`;
}
