/** Order of the articles in the sidebar; reference and playground are in the header. */
import type { Page, Section } from "../site/page.ts";

const order: readonly { title: string; paths: readonly string[] }[] = [
  { title: "Begin", paths: ["guides/quick-start/"] },
  {
    title: "Read the chain",
    paths: ["guides/account-history/", "guides/following-a-message/", "guides/blocks-and-shards/", "workflows/"],
  },
  { title: "Call well", paths: ["guides/keys-and-limits/", "guides/errors-and-retries/"] },
  { title: "Test and operate", paths: ["guides/testing/", "guides/conformance/"] },
  { title: "The contract", paths: ["decisions/", "guides/compatibility/", "changelog/", "versions/"] },
];

/** Sorts articles into the sections of the sidebar. Throws if the order misses an article or names an unknown one. */
export function readingOrder(articles: readonly Page[]): Section[] {
  const titleOfPath = new Map(articles.map(({ path, title }) => [path, title]));
  const placed = new Set(order.flatMap(({ paths }) => paths));
  const missing = [...titleOfPath.keys()].filter((path) => !placed.has(path));
  if (missing.length > 0) throw new Error(`src/pages/reading-order.ts has no place for ${missing.join(", ")}`);
  return order.map(({ title, paths }) => ({
    title,
    entries: paths.map((path) => {
      const articleTitle = titleOfPath.get(path);
      if (articleTitle === undefined) throw new Error(`src/pages/reading-order.ts names ${path}, which is not a page`);
      return { path, title: articleTitle };
    }),
  }));
}
