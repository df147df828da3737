/** The sidebar: sections and order of the articles. Reference and playground are in the header. */
import type { LinkNames } from "../markdown/links.ts";
import { splitSentence } from "../reference/operation-text.ts";
import { introduction } from "../reference/overview.ts";
import type { Page, Section } from "../site/page.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

/** The default area of a page. */
export const guidesArea = "Guides";

const order: readonly { title: string; paths: readonly string[] }[] = [
  { title: "Begin", paths: ["guides/", "guides/quick-start/", "guides/recipes/", "guides/migrating/"] },
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
  {
    title: "Production",
    paths: ["guides/keys-and-limits/", "guides/errors-and-retries/", "guides/proofs/", "errors/"],
  },
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
  { title: "The contract", paths: ["decisions/", "guides/compatibility/", "changelog/"] },
];

/** Makes the page that lists them. */
export function guidesPage(pages: readonly MarkdownPage[], names: LinkNames): MarkdownPage {
  const byPath = new Map(pages.map(({ page }) => [page.path, page]));
  const lines = (paths: readonly string[]): string[] =>
    paths.flatMap((path) => {
      const page = byPath.get(path);
      return page === undefined ? [] : [`- [${page.title}](site:${path}): ${splitSentence(page.description)[0]}`];
    });
  const sections = order.map(({ title, paths }) => `## ${title}\n\n${lines(paths).join("\n")}\n`);
  const text = ["# All guides", introduction, ...sections].join("\n\n");
  return markdownPage({ text, file: "src/pages/sidebar.ts", path: "guides/" }, names);
}

/**
 * Sorts articles into the sections of the sidebars: the guides in this file's order, then pages that name their section. Throws if an
 * article has no place, or if the order names an unknown article.
 */
export function sidebarSections(pages: readonly Page[]): Section[] {
  const guides = pages.filter(({ section, layout }) => section === undefined && layout === "article");
  const titles = new Map(guides.map(({ path, title }) => [path, title]));
  const placed = order.flatMap(({ paths }) => paths);
  const missing = [...titles.keys()].filter((path) => !placed.includes(path));
  if (missing.length > 0) throw new Error(`src/pages/sidebar.ts has no place for ${missing.join(", ")}`);
  const unknown = placed.filter((path) => !titles.has(path));
  if (unknown.length > 0) throw new Error(`src/pages/sidebar.ts names ${unknown.join(", ")}, which is not a page`);
  const ordered = order.map(({ title, paths }) => ({
    title,
    area: guidesArea,
    entries: paths.map((path) => ({ path, title: titles.get(path) ?? "" })),
  }));
  const named = [...new Set(pages.map(({ section = "" }) => section))].filter(Boolean).map((title) => {
    const entries = pages.filter(({ section }) => section === title);
    return { title, area: entries[0]?.area ?? guidesArea, entries };
  });
  return [...ordered, ...named];
}
