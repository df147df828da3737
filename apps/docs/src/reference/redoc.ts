/** Prerenders the reference with `redocly build-docs`, and provides Redoc's browser script. */
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
import type { SiteFile } from "../site/page.ts";

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

/** The Redoc options of redocly.yaml, which `hydrate` needs too. */
export async function redocOptions(): Promise<object> {
  const { openapi } = parseYaml(await readFile(configuration, "utf8"));
  return openapi;
}

/**
 * Redoc's script, unmodified, as a module, and bundled as a classic script for pages opened from `file:` URLs, where browsers do not load
 * modules.
 */
export async function redocScripts(): Promise<{ module: SiteFile; classic: SiteFile }> {
  const classic = await bundled({
    entryPoints: [script],
    globalName: "redoc",
    // A classic script has no import.meta.
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

function attribute({ attrs }: Element, attributeName: string): string | undefined {
  return attrs.find(({ name }) => name === attributeName)?.value;
}
