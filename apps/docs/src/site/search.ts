/** Makes the files of the search, which pages load when it is opened. */
import { fileURLToPath } from "node:url";
import type { SearchEntry } from "../client-scripts/search/find.ts";
import type { MarkdownPage } from "../pages/markdown-page.ts";
import { bundled, hashedAsset } from "./assets.ts";
import { type SiteFile, wholeContractPath } from "./page.ts";

/** Pages and files without a Markdown source. */
const others: readonly SearchEntry[] = [
  {
    path: wholeContractPath,
    title: "The whole contract",
    page: "Reference",
    text: "Every operation on one page, with samples for curl, TypeScript, JavaScript, Python and Go.",
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
    /^(client\/api\/|decisions\/|guides\/service-reference\/|guides\/$)/.test(path) ||
    (/^reference\/./.test(path) && id !== undefined);
  return isList ? { weight: 0.3 } : {};
}

/** The module of the search, and its entries. */
export async function searchFiles(entries: readonly SearchEntry[]): Promise<[script: SiteFile, index: SiteFile]> {
  const entry = fileURLToPath(new URL("../client-scripts/search/dialog.ts", import.meta.url));
  const script = await bundled({ entryPoints: [entry], format: "esm" });
  return [hashedAsset("search", "js", script), hashedAsset("search", "json", JSON.stringify(entries))];
}
