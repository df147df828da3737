/** Redoc as the Redocly command line renders it, and its browser script as the package has it. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { parse as parseYaml } from "yaml";
import { bundled, hashedAsset } from "../site/assets.ts";
import type { SiteContent } from "../site/page.ts";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const packageFolder = pathToFileURL(createRequire(import.meta.url).resolve("@redocly/cli/package.json"));
const script = fileURLToPath(new URL("lib/chunks/redoc.standalone.js", packageFolder));
const configuration = fileURLToPath(new URL("redocly.yaml", import.meta.url));

/** What the page of the reference takes from the page that `redocly build-docs` writes. */
export interface RenderedReference {
  /** The style elements. */
  styles: string;
  /** The element `#redoc`, which Redoc's `hydrate` takes over. */
  element: string;
}

/** Renders a contract. Only the introduction and the menu are in the HTML; operations are rendered in the browser. */
export async function renderReference(contract: object): Promise<RenderedReference> {
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

/** The options of redocly.yaml, which the browser needs as well. */
export async function redocOptions(): Promise<object> {
  const { openapi } = parseYaml(await readFile(configuration, "utf8"));
  return openapi;
}

/**
 * Redoc's script, unmodified, as a module, and the same program as a classic script for pages from a disk, where browsers load no
 * modules.
 */
export async function redocScripts(): Promise<{ module: SiteContent; classic: SiteContent }> {
  const classic = await bundled({
    entryPoints: [script],
    globalName: "redoc",
    define: { "import.meta": "{}" },
  });
  return {
    module: hashedAsset("redoc", "js", await readFile(script)),
    classic: hashedAsset("redoc-classic", "js", classic),
  };
}

function elementsOf(node: Node): Element[] {
  const children = "childNodes" in node ? node.childNodes.flatMap(elementsOf) : [];
  return "tagName" in node ? [node, ...children] : children;
}

function attribute({ attrs }: Element, wanted: string): string | undefined {
  return attrs.find(({ name }) => name === wanted)?.value;
}
