/** Builds the script of the search with its entries. Pages load it when the search is opened. */
import { fileURLToPath } from "node:url";
import { operations } from "@chain-query/openapi/operations";
import { routeOf } from "../contract/contract.ts";
import type { SearchEntry } from "../in-page/search/entry.ts";
import type { MarkdownPage } from "../pages/markdown-page.ts";
import { bundled, hashedAsset } from "./assets.ts";
import type { SiteFile } from "./page.ts";

/** Entries for operations and for sections of pages. */
export function searchEntries(articles: readonly MarkdownPage[]): SearchEntry[] {
  const operationEntries = operations.map((operation) => ({
    path: `reference/${routeOf(operation)}`,
    title: operation.id,
    page: "Reference",
    text: `${operation.summary}. ${operation.tag}`,
  }));
  const sections = articles.flatMap(({ page, rendered }) =>
    rendered.sections.map(({ id, heading, text }) => ({
      path: id === undefined ? page.path : `${page.path}#${id}`,
      title: heading,
      page: page.title,
      text,
    })),
  );
  return [...operationEntries, ...sections];
}

/** Bundles the script with its entries. */
export async function searchScript(entries: readonly SearchEntry[]): Promise<SiteFile> {
  const script = await bundled({
    stdin: {
      resolveDir: fileURLToPath(new URL("../in-page/", import.meta.url)),
      contents: `import { openSearch } from "./search/main.ts";\nopenSearch(${JSON.stringify(entries)});`,
    },
  });
  return hashedAsset("search", "js", script);
}
