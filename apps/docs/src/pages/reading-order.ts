/** The pages in the order of reading, as the sidebar lists them. */
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

/** Puts pages into their order. Fails where a page has no place in it, or a place has no page. */
export function readingOrder(pages: readonly Page[]): Section[] {
  const titles = new Map(pages.map(({ path, title }) => [path, title]));
  const placed = new Set(order.flatMap(({ paths }) => paths));
  const lost = [...titles.keys()].filter((path) => !placed.has(path));
  if (lost.length > 0) throw new Error(`src/pages/reading-order.ts has no place for ${lost.join(", ")}`);
  return order.map(({ title, paths }) => ({
    title,
    entries: paths.map((path) => {
      const known = titles.get(path);
      if (known === undefined) throw new Error(`src/pages/reading-order.ts names ${path}, which is no page`);
      return { path, title: known };
    }),
  }));
}
