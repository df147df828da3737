/** Builds the script of the search with its entries. Pages load it when the search is opened. */
import { fileURLToPath } from "node:url";
import type { SearchEntry } from "../client-scripts/search/find.ts";
import type { MarkdownPage } from "../pages/markdown-page.ts";
import { bundled, hashedAsset } from "./assets.ts";
import type { SiteFile } from "./page.ts";

/** Pages and files without a Markdown source. */
const others: readonly SearchEntry[] = [
  {
    path: "reference/",
    title: "API reference",
    page: "Reference",
    text: "Every operation with its inputs, responses and errors, and with samples for curl, TypeScript, JavaScript, Python and Go.",
  },
  {
    path: "openapi.yaml",
    title: "openapi.yaml",
    page: "Reference",
    text: "The contract as OpenAPI 3.1, for generators of clients in other languages, such as Python, Go, Rust or Java.",
  },
  { path: "playground/", title: "Playground", page: "Playground", text: "Send requests to a deployment from the browser." },
];

/** Entries for sections of pages, and for other files. */
export function searchEntries(articles: readonly MarkdownPage[]): SearchEntry[] {
  const sections = articles.flatMap(({ page, rendered }) =>
    rendered.sections
      .filter(({ text }) => text !== "")
      .map(({ id, heading, text }) => ({
        path: id === undefined ? page.path : `${page.path}#${id}`,
        title: heading,
        // Titles such as "Options" say little without the area.
        page: id === undefined ? (page.area ?? page.title) : page.title,
        text,
        ...weightOf(page.path, id),
      })),
  );
  return [...sections, ...others];
}

/** Explanations come before lists of names, unless a name is searched for. */
function weightOf(path: string, id: string | undefined): { weight?: number } {
  const isList =
    /^(client\/api|decisions|guides\/service-reference)\//.test(path) || (/^reference\//.test(path) && id !== undefined);
  return isList ? { weight: 0.3 } : {};
}

/** Bundles the script with its entries. */
export async function searchScript(entries: readonly SearchEntry[]): Promise<SiteFile> {
  const script = await bundled({
    stdin: {
      resolveDir: fileURLToPath(new URL("../client-scripts/", import.meta.url)),
      contents: `import { openSearch } from "./search/dialog.ts";\nopenSearch(${JSON.stringify(entries)});`,
    },
  });
  return hashedAsset("search", "js", script);
}
