/** Builds the reference: Redoc's prerendered page below the header of the site, and the scripts that make it interactive. */
import { fileURLToPath } from "node:url";
import { info, operations } from "@chain-query/openapi/operations";
import { markdownLink } from "../markdown/links.ts";
import type { Workflow } from "../pages/workflows.ts";
import { bundled, hashedAsset } from "../site/assets.ts";
import { html, raw } from "../site/html.ts";
import { type Page, relativeLink, type SitePart } from "../site/page.ts";
import { contractForReaders, readContract } from "./contract-for-readers.ts";
import { redocOptions, redocScripts, renderReference } from "./redoc.ts";
import { referenceMarkdown } from "./reference-markdown.ts";
import { routeOf } from "./routes.ts";

const path = "reference/";
const link = (to: string): string => relativeLink(path, to);

/** Returns the page of the reference and its files. */
export async function buildReference(workflows: readonly Workflow[]): Promise<SitePart> {
  const definition = contractForReaders(readContract(), workflows);
  const entry = fileURLToPath(new URL("../client-scripts/reference.ts", import.meta.url));
  const [{ styles, element }, options, redoc, script] = await Promise.all([
    renderReference(definition),
    redocOptions(),
    redocScripts(),
    bundled({ entryPoints: [entry] }).then((text) => hashedAsset("reference", "js", text)),
  ]);
  const routes = Object.fromEntries(operations.map((operation) => [operation.id, routeOf(operation)]));
  const page: Page = {
    path,
    title: "API reference",
    description: `${info.summary}: every operation, its inputs, responses and errors.`,
    layout: "reference",
    headings: [],
    markdown: referenceMarkdown((to) => markdownLink(path, to)),
    head: html`${raw(styles)}\n<script defer src="${link(script.path)}"></script>`,
    // Redoc writes style attributes at run time and has an inline icon font; the playground opens in a frame.
    needs: { inlineStyles: true, font: ["data:"], frame: ["'self'"] },
    main: html`<noscript><p class="no-script">Operations open with JavaScript. Without it, read the same <a href="${link("reference.md")}">as Markdown</a>.</p></noscript>
${raw(element)}
<script type="application/json" id="reference-data" data-module="${link(redoc.module.path)}" data-classic="${link(redoc.classic.path)}">${raw(
      JSON.stringify({ definition, options, routes }).replaceAll("<", "\\u003c"),
    )}</script>`,
  };
  return { pages: [page], files: [redoc.module, redoc.classic, script] };
}
