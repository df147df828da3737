/** Builds the site: pages, the files that they load, and files for download. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { decisions, info } from "@chain-query/openapi/operations";
import type { LinkNames } from "./markdown/links.ts";
import { changelogPage } from "./pages/changelog.ts";
import { clientPages, exportPaths, readClient } from "./pages/client.ts";
import { errorsPage, handledStatuses } from "./pages/errors.ts";
import { landingPage, notFoundPage } from "./pages/landing.ts";
import { decisionsPage, guidePages, guidePaths, type MarkdownPage } from "./pages/markdown-page.ts";
import { guidesPage, sidebarSections } from "./pages/sidebar.ts";
import { readWorkflows, type Workflow, workflowFolder, workflowsPage } from "./pages/workflows.ts";
import { buildPlayground } from "./playground/page.ts";
import { operationPages } from "./reference/operation-pages.ts";
import { overviewPage } from "./reference/overview.ts";
import { wholeContract } from "./reference/whole-contract.ts";
import { siteFiles } from "./site/assets.ts";
import { withPolicy } from "./site/content-policy.ts";
import { documentOf } from "./site/layout.ts";
import { brokenLinks, collectLinkTargets } from "./site/link-check.ts";
import { defaultOptions, type SiteOptions } from "./site/options.ts";
import { type SiteContext, type SiteFile, throwProblems } from "./site/page.ts";
import { searchEntries, searchFiles } from "./site/search.ts";
import { textFiles } from "./site/text-files.ts";

/**
 * Builds the site into a folder, which is emptied first. Throws a UserError for broken links and unknown names, before it writes
 * anything.
 */
export async function buildSite(folder: URL, options: Partial<SiteOptions> = {}): Promise<void> {
  const files = await siteContents({ ...defaultOptions, ...options });
  await rm(folder, { recursive: true, force: true });
  for (const { path, content } of files) {
    const file = new URL(path, folder);
    await mkdir(new URL(".", file), { recursive: true });
    await writeFile(file, content);
  }
}

async function siteContents(options: SiteOptions): Promise<SiteFile[]> {
  const workflows = readWorkflows();
  const { articles, operations } = await articlePages(workflows, options);
  throwProblems(articles.flatMap(({ rendered }) => rendered.problems));
  const [common, downloaded, search, ...parts] = await Promise.all([
    siteFiles(),
    downloads(workflows),
    searchFiles(searchEntries(articles)),
    wholeContract(operations.map(({ page }) => page)),
    buildPlayground(),
  ]);
  const pages = [landingPage(), ...articles.map(({ page }) => page), ...parts.flatMap((part) => part.pages)];
  const site: SiteContext = {
    ...options,
    version: info.version,
    assets: { ...common.paths, search: search[0].path, index: search[1].path },
    sections: sidebarSections(pages),
  };
  const files = [...search, ...common.files, ...parts.flatMap((part) => part.files), ...downloaded, ...textFiles(pages, site)];

  const paths = files.map(({ path }) => path);
  const targets = collectLinkTargets(pages, paths);
  throwProblems(articles.flatMap(({ file, rendered }) => brokenLinks(file, rendered.links, targets)));
  const documents = [...pages, notFoundPage(options.siteUrl)].map((page) => ({
    path: page.path.endsWith(".html") ? page.path : `${page.path}index.html`,
    content: withPolicy(documentOf(page, site), page.needs),
  }));
  return [...files, ...documents];
}

/** The pages with Markdown sources. */
async function articlePages(
  workflows: readonly Workflow[],
  { guides }: SiteOptions,
): Promise<{ articles: MarkdownPage[]; operations: MarkdownPage[] }> {
  const client = await readClient();
  const names: LinkNames = {
    decisions: decisions.map(({ id }) => id),
    guides: guidePaths(guides),
    exports: exportPaths(client),
  };
  const handled = await handledStatuses();
  const operations = operationPages({ workflows, handled }, names);
  const listed = [
    ...guidePages(names, guides),
    workflowsPage(workflows, names),
    errorsPage(handled, names),
    decisionsPage(names),
    changelogPage(names),
  ];
  const articles = [guidesPage(listed, names), ...listed, ...clientPages(client, names), overviewPage(names), ...operations];
  return { articles, operations };
}

/** Files of the contract's package for download. */
async function downloads(workflows: readonly Workflow[]): Promise<SiteFile[]> {
  const contract = ["openapi.yaml", "openapi.json"].map((path) => ({
    path,
    file: new URL(import.meta.resolve(`@chain-query/openapi/${path}`)),
  }));
  const arazzo = [...new Set(workflows.map(({ file }) => file))].map((file) => ({
    path: `workflows/${file}`,
    file: new URL(file, workflowFolder),
  }));
  return Promise.all([...contract, ...arazzo].map(async ({ path, file }) => ({ path, content: await readFile(file) })));
}
