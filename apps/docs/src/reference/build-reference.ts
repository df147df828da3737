/** Builds the reference: the page that `redocly build-docs` prerenders, below the header of the site, and the scripts that make it interactive. */

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { info, operations } from "@chain-query/openapi/operations";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { parse as parseYaml } from "yaml";
import { markdownLink } from "../markdown/links.ts";
import type { Workflow } from "../pages/workflows.ts";
import { bundled, hashedAsset } from "../site/assets.ts";
import { html, raw } from "../site/html.ts";
import { type Page, relativeLink, type SiteFile, type SitePart } from "../site/page.ts";
import { contractForReaders, readContract } from "./contract-for-readers.ts";
import { referenceMarkdown } from "./reference-markdown.ts";

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
  const page: Page = {
    path,
    title: "API reference",
    description: `${info.summary}: every operation, its inputs, responses and errors.`,
    layout: "reference",
    headings: [],
    markdown: referenceMarkdown((to) => markdownLink(path, to)),
    head: html`<script>${raw(deepLinkScript)}</script>\n${raw(styles)}\n<script defer src="${link(script.path)}"></script>`,
    // Redoc writes style attributes at run time and has an inline icon font.
    needs: { inlineStyles: true, font: ["data:"] },
    main: html`<noscript><p class="no-script">Each operation below has a page, which needs no JavaScript. The schemas of the whole contract are also here <a href="${link("reference.md")}">as Markdown</a>.</p></noscript>
${raw(element)}
<script type="application/json" id="reference-data" data-module="${link(redoc.module.path)}" data-classic="${link(redoc.classic.path)}">${raw(
      JSON.stringify({ definition, options }).replaceAll("<", "\\u003c"),
    )}</script>`,
  };
  return { pages: [page], files: [redoc.module, redoc.classic, script] };
}

/**
 * Leads from an address of an operation in Redoc, such as `#/blocks/lookupblock`, `#operation/lookupBlock` or `#lookupBlock`, to the page
 * of that operation, before anything is shown. Redoc's own routes work once the page is open.
 */
const deepLinkScript = `{const ids=${JSON.stringify(operations.map(({ id }) => id))},
go=()=>{const at=location.hash.toLowerCase().split(/[#/]/),id=ids.find(one=>at.includes(one.toLowerCase()));
if(id)location.replace(id+(location.protocol==="file:"?"/index.html":"/"))};
go();addEventListener("hashchange",()=>location.hash.startsWith("#/")||go())}`;

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const packageFolder = pathToFileURL(createRequire(import.meta.url).resolve("@redocly/cli/package.json"));
const script = fileURLToPath(new URL("lib/chunks/redoc.standalone.js", packageFolder));
const configuration = fileURLToPath(new URL("redocly.yaml", import.meta.url));

/** The parts of the page of `redocly build-docs` that our page contains. */
interface RenderedReference {
  /** The style elements. */
  styles: string;
  /** The element `#redoc`, which Redoc's `hydrate` takes over. */
  element: string;
}

/** Renders a contract. The HTML has only the introduction and the menu, because Redoc renders an operation only when it is opened. */
async function renderReference(contract: object): Promise<RenderedReference> {
  const page = await buildDocs(contract);
  const elements = elementsOf(parse(page, { sourceCodeLocationInfo: true }));
  const source = ({ sourceCodeLocation: at }: Element): string => page.slice(at?.startOffset, at?.endOffset);
  const root = elements.find((element) => attribute(element, "id") === "redoc");
  if (root === undefined) throw new Error("redocly build-docs wrote a page without an element #redoc");
  const styles = elements.filter(
    ({ tagName, attrs }) => tagName === "style" && attrs.some(({ name }) => name === "data-styled"),
  );
  return { styles: styles.map(source).join("\n"), element: source(root) };
}

async function buildDocs(contract: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-docs-"));
  try {
    const input = join(folder, "openapi.json");
    const output = join(folder, "index.html");
    await writeFile(input, JSON.stringify(contract));
    const command = fileURLToPath(new URL("bin/cli.js", packageFolder));
    await promisify(execFile)(
      process.execPath,
      [command, "build-docs", input, `--output=${output}`, `--config=${configuration}`],
      { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
    );
    return await readFile(output, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The Redoc options of redocly.yaml, which `hydrate` needs too. */
async function redocOptions(): Promise<object> {
  const { openapi } = parseYaml(await readFile(configuration, "utf8"));
  return openapi;
}

/**
 * Redoc's script as a module, and bundled as a classic script for pages opened from `file:` URLs, where browsers do not load modules. An
 * empty address replaces that of a logo on Redoc's host: the policy refuses it with an error on the console, and Redoc has no option.
 */
async function redocScripts(): Promise<{ module: SiteFile; classic: SiteFile }> {
  const contents = (await readFile(script, "utf8")).replaceAll(
    /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini[\w-]*\.svg/g,
    "data:,",
  );
  const classic = await bundled({
    stdin: { contents, resolveDir: fileURLToPath(new URL("lib/chunks/", packageFolder)) },
    globalName: "redoc",
    // A classic script has no import.meta.
    define: { "import.meta": "{}" },
  });
  return {
    module: hashedAsset("redoc", "js", contents),
    classic: hashedAsset("redoc-classic", "js", classic),
  };
}

function elementsOf(node: Node): Element[] {
  const children = "childNodes" in node ? node.childNodes.flatMap(elementsOf) : [];
  return "tagName" in node ? [node, ...children] : children;
}

function attribute({ attrs }: Element, attributeName: string): string | undefined {
  return attrs.find(({ name }) => name === attributeName)?.value;
}
