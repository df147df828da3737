/** The reference: what Redocly prerenders, with the script of this site in place of the one from a CDN. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Contract, operationsOf, routeOf } from "./contract.ts";
import { relativeLink } from "./layout/links.ts";
import type { SiteContent } from "./page.ts";
import { redocly } from "./redocly.ts";
import { accessiblePage } from "./reference-accessibility.ts";
import { withoutRenderedHeight } from "./reference-header.ts";
import { routesId } from "./reference-in-page.ts";
import { elementIds } from "./reference-script.ts";
import { withoutUnusedProperties } from "./reference-style.ts";
import { substitute } from "./substitution.ts";

const rendered = "Redoc's page";
const starter =
  /<script type="module">[\s\S]*?__redoc_definition = (\{.*\});\n[\s\S]*?__redoc_options = (\{.*\});\n[\s\S]*?<\/script>/;

/** The two parts of the reference that a page is made of. */
export interface Reference {
  /** Style sheets and the script. */
  head: string;
  /** What stands in the body. */
  body: string;
}

/** The scripts of the reference. */
export interface ReferenceScripts {
  redoc: SiteContent;
  /** Runs before Redoc's. */
  inPage: SiteContent;
}

/** Renders a contract for the page at a path. */
export async function referenceParts(contract: Contract, scripts: ReferenceScripts, path: string): Promise<Reference> {
  const page = accessiblePage(withoutRenderedHeight(localRoutes(localScripts(await prerender(contract), scripts, path))));
  const [head = "", body] = page.split("<!-- head | body -->");
  if (body === undefined) throw new Error("reference-page.hbs has lost its mark between head and body");
  const routes = operationsOf(contract).map((operation) => [operation.operationId, routeOf(operation)] as const);
  return {
    head: withoutUnusedProperties(head.trim(), String(scripts.redoc.content)),
    body: `${body.trim()}\n${data(routesId, JSON.stringify(Object.fromEntries(routes)))}`,
  };
}

async function prerender(contract: Contract): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-docs-"));
  try {
    const input = join(folder, "openapi.json");
    const output = join(folder, "index.html");
    await writeFile(input, JSON.stringify(contract));
    await redocly("build-docs", input, `--output=${output}`, "--template=src/reference-page.hbs");
    return await readFile(output, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The page's data stays in the page, as data, and the scripts wait until the page is painted. */
function localScripts(page: string, { redoc, inPage }: ReferenceScripts, path: string): string {
  const withoutStarter = substitute(
    page,
    rendered,
    starter,
    (_, definition = "", options = "") => `${data(elementIds.definition, definition)}\n${data(elementIds.options, options)}`,
  );
  const tags = [inPage, redoc].map((script) => `<script defer src="${relativeLink(path, script.path)}"></script>`);
  return substitute(withoutStarter, rendered, /<link rel="modulepreload"[^>]*>/, () => tags.join("\n"));
}

function data(id: string, json: string): string {
  return `<script type="application/json" id="${id}">${json}</script>`;
}

/** Prerendered links name routes as paths of a server; in the browser, Redoc routes by the fragment. */
function localRoutes(page: string): string {
  return substitute(page, rendered, /(<a\b[^>]*? href=")(\/[^"]*")/g, (_, before = "", route = "") => `${before}#${route}`);
}
