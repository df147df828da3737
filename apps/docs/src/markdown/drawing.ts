/** Drawings, inline so that they take the colours of the page. */
import { readFileSync } from "node:fs";
import { html, raw } from "../site/html.ts";

/** Reads a drawing. Screen readers need its title and description, so it throws if they are missing. */
export function drawing(file: URL, caption: string): string {
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
