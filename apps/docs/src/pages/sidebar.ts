/** The sidebar: sections and order of the articles. Reference and playground are in the header. */
import type { Page, Section } from "../site/page.ts";

/** The default area of a page. */
export const guidesArea = "Guides";

const order: readonly { title: string; paths: readonly string[] }[] = [
  { title: "Begin", paths: ["guides/quick-start/", "guides/recipes/", "guides/migrating/"] },
  {
    title: "Read the chain",
    paths: [
      "guides/account-history/",
      "guides/following-a-message/",
      "guides/blocks-and-shards/",
      "workflows/",
      "guides/glossary/",
    ],
  },
  { title: "Production", paths: ["guides/keys-and-limits/", "guides/errors-and-retries/", "errors/"] },
  {
    title: "Test and operate",
    paths: [
      "guides/testing/",
      "guides/conformance/",
      "guides/live-network/",
      "guides/scale-out/",
      "guides/runbook/",
      "guides/service-reference/",
      "guides/local-lite-server/",
    ],
  },
  { title: "The contract", paths: ["decisions/", "guides/compatibility/", "changelog/", "versions/"] },
];

/**
 * Sorts articles into the sections of the sidebars: the guides in this file's order, then articles that name their section. Throws if an
 * article has no place, or if the order names an unknown article.
 */
export function sidebarSections(articles: readonly Page[]): Section[] {
  const guides = articles.filter(({ section }) => section === undefined);
  const titleOfPath = new Map(guides.map(({ path, title }) => [path, title]));
  const placed = new Set(order.flatMap(({ paths }) => paths));
  const missing = [...titleOfPath.keys()].filter((path) => !placed.has(path));
  if (missing.length > 0) throw new Error(`src/pages/sidebar.ts has no place for ${missing.join(", ")}`);
  const ordered = order.map(({ title, paths }) => ({
    title,
    area: guidesArea,
    entries: paths.map((path) => {
      const articleTitle = titleOfPath.get(path);
      if (articleTitle === undefined) throw new Error(`src/pages/sidebar.ts names ${path}, which is not a page`);
      return { path, title: articleTitle };
    }),
  }));
  const rest = articles.filter(({ section }) => section !== undefined);
  const named = [...new Set(rest.map(({ section = "" }) => section))].map((title) => {
    const pages = rest.filter(({ section }) => section === title);
    const area = pages[0]?.area ?? guidesArea;
    return { title, area, entries: pages.map((page) => ({ path: page.path, title: page.title })) };
  });
  return [...ordered, ...named];
}
