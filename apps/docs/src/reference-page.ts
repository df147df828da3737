/** The reference page: what Redocly prerenders, with the script of this site in place of the one from a CDN. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contract } from "./contract.ts";
import { redocly } from "./redocly.ts";
import { elementIds } from "./reference-script.ts";
import { substitute } from "./substitution.ts";

const rendered = "Redoc's page";
const starter =
  /<script type="module">[\s\S]*?__redoc_definition = (\{.*\});\n[\s\S]*?__redoc_options = (\{.*\});\n[\s\S]*?<\/script>/;

/** Renders the page that shows a contract and loads the named script. */
export async function referencePage(contract: Contract, scriptName: string): Promise<string> {
  return localRoutes(localScript(await prerender(contract), scriptName));
}

async function prerender(contract: Contract): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-docs-"));
  try {
    const input = join(folder, "openapi.json");
    const output = join(folder, "index.html");
    await writeFile(input, JSON.stringify(contract));
    const { title, summary } = contract.info;
    const head = [`--title=${title}: API reference`, `--templateOptions.description=${summary}.`];
    await redocly("build-docs", input, `--output=${output}`, "--template=src/page.hbs", ...head);
    return await readFile(output, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The page's data stays in the page, as data, and the script waits until the page is painted. */
function localScript(page: string, scriptName: string): string {
  const withoutStarter = substitute(
    page,
    rendered,
    starter,
    (_, definition = "", options = "") => `${data(elementIds.definition, definition)}\n${data(elementIds.options, options)}`,
  );
  return substitute(
    withoutStarter,
    rendered,
    /<link rel="modulepreload"[^>]*>/,
    () => `<script defer src="${scriptName}"></script>`,
  );
}

function data(id: string, json: string): string {
  return `<script type="application/json" id="${id}">${json}</script>`;
}

/** Prerendered links name routes as paths of a server; in the browser, Redoc routes by the fragment. */
function localRoutes(page: string): string {
  return substitute(page, rendered, /(<a\b[^>]*? href=")(\/[^"]*")/g, (_, before = "", route = "") => `${before}#${route}`);
}
