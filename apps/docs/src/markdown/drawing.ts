/** Drawings, put into the page so that they take its colours. */
import { readFileSync } from "node:fs";
import { html, raw } from "../site/html.ts";

/** Reads a drawing; its title and description are its name and text for whoever cannot see it. Throws where it has none. */
export function drawing(file: URL, caption: string): string {
  const svg = readFileSync(file, "utf8").trim();
  const name = /([^/]+)\.svg$/.exec(file.pathname)?.[1] ?? "drawing";
  if (!/<title>[^<]+<\/title>\s*<desc>[^<]+<\/desc>/.test(svg)) throw new Error("the drawing has no title and desc");
  const labelled = svg
    .replace("<svg ", `<svg role="img" aria-labelledby="${name}-title" aria-describedby="${name}-desc" `)
    .replace("<title>", `<title id="${name}-title">`)
    .replace("<desc>", `<desc id="${name}-desc">`);
  return html`<figure class="drawing" tabindex="0">${raw(labelled)}${caption && html`<figcaption>${caption}</figcaption>`}</figure>`
    .html;
}
