/** Builds the site: pages, the files that they load, and files for download. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { decisions, info } from "@chain-query/openapi/operations";
import { clientPages, exportPaths, readClient } from "./client/pages.ts";
import type { LinkNames } from "./markdown/links.ts";
import { changelogPage, readChanges, versionsPage } from "./pages/changelog.ts";
import { errorsPage, handledStatuses } from "./pages/errors.ts";
import { landingPage } from "./pages/landing.ts";
import { decisionsPage, guidePages, guidePaths, type MarkdownPage } from "./pages/markdown-page.ts";
import { notFoundPage } from "./pages/not-found.ts";
import { sidebarSections } from "./pages/sidebar.ts";
import { readWorkflows, type Workflow, workflowFolder, workflowsPage } from "./pages/workflows.ts";
import { buildPlayground } from "./playground/build-playground.ts";
import { buildReference } from "./reference/build-reference.ts";
import { operationPages } from "./reference/operation-pages.ts";
import { siteFiles } from "./site/assets.ts";
import { withPolicy } from "./site/content-policy.ts";
import { documentOf } from "./site/layout.ts";
import { brokenLinks, brokenReferences, collectLinkTargets, documentPath } from "./site/link-check.ts";
import { defaultOptions, type SiteOptions } from "./site/options.ts";
import { type SiteContext, type SiteFile, type SitePart, throwProblems } from "./site/page.ts";
import { searchEntries, searchScript } from "./site/search.ts";
import { textFiles } from "./site/text-files.ts";

/** Pages and files that are the same in every build from the sources. */
export interface SiteSources {
  common: Awaited<ReturnType<typeof siteFiles>>;
  parts: readonly SitePart[];
  /** Files for download. */
  downloaded: readonly SiteFile[];
  /** The pages with Markdown sources, of a site that keeps these versions. */
  articles: (versions: readonly string[]) => MarkdownPage[];
}

/**
 * Builds the site into a folder, which is emptied first. Throws a UserError for broken links and unknown names, before it writes
 * anything. A second build takes less time with the sources of the first.
 *
 * @example
 * await buildSite(new URL("../dist/", import.meta.url));
 */
export async function buildSite(folder: URL, options: Partial<SiteOptions> = {}, sources?: SiteSources): Promise<void> {
  const files = await siteContents({ ...defaultOptions, ...options }, sources ?? (await readSources(options.guides)));
  await rm(folder, { recursive: true, force: true });
  for (const { path, content } of files) {
    const file = new URL(path, folder);
    await mkdir(new URL(".", file), { recursive: true });
    await writeFile(file, content);
  }
}

/** Reads the sources of a site. Throws a UserError for unknown names. */
export async function readSources(guides: URL = defaultOptions.guides): Promise<SiteSources> {
  const workflows = readWorkflows();
  const articles = await articlePages(workflows, guides);
  throwProblems(articles([]).flatMap(({ rendered }) => rendered.problems));
  const [common, downloaded, ...parts] = await Promise.all([
    siteFiles(),
    downloads(workflows),
    buildReference(workflows),
    buildPlayground(),
  ]);
  return { common, parts, downloaded, articles };
}

async function siteContents(
  options: SiteOptions,
  { common, parts, downloaded, articles: read }: SiteSources,
): Promise<SiteFile[]> {
  const articles = read(options.versions);
  const search = await searchScript(searchEntries(articles));
  const pages = [landingPage(), ...parts.flatMap((part) => part.pages), ...articles.map(({ page }) => page)];
  const site: SiteContext = {
    ...options,
    version: info.version,
    assets: { ...common.paths, search: search.path },
    sections: sidebarSections(articles.map(({ page }) => page)),
    paths: new Set(pages.map(({ path }) => path)),
  };
  const documents = new Map(
    [...pages, notFoundPage(options.siteUrl)].map((page) => [page.path, withPolicy(documentOf(page, site), page.needs)]),
  );
  const files = [search, ...common.files, ...parts.flatMap((part) => part.files), ...downloaded, ...textFiles(pages, site)];

  const places = collectLinkTargets(
    documents,
    files.map(({ path }) => path),
  );
  throwProblems(articles.flatMap(({ file, rendered }) => brokenLinks(file, rendered.links, places)));
  throwProblems([...documents].flatMap(([path, document]) => brokenReferences(path, document, places)));
  return [...files, ...[...documents].map(([path, content]) => ({ path: documentPath(path), content }))];
}

async function articlePages(workflows: readonly Workflow[], guides: URL): Promise<SiteSources["articles"]> {
  const { version } = info;
  const client = readClient();
  const names: LinkNames = {
    decisions: decisions.map(({ id }) => id),
    guides: guidePaths(guides),
    exports: exportPaths(client),
  };
  const handled = await handledStatuses();
  const before = [
    ...guidePages(names, guides),
    workflowsPage(workflows, names),
    errorsPage(client, handled, names),
    decisionsPage(names),
    changelogPage(readChanges(), version, names),
  ];
  const after = [...clientPages(client, names), ...operationPages({ workflows, handled }, names)];
  return (versions) => [...before, versionsPage(version, versions, names), ...after];
}

/** Files of the contract's package for download. */
async function downloads(workflows: readonly Workflow[]): Promise<SiteFile[]> {
  const arazzoFiles = [...new Set(workflows.map(({ file }) => file))];
  return Promise.all([
    ...["openapi.yaml", "openapi.json"].map(async (path) => ({ path, content: await readFile(fileOf(path)) })),
    ...arazzoFiles.map(async (file) => ({
      path: `workflows/${file}`,
      content: await readFile(new URL(file, workflowFolder)),
    })),
  ]);
}

function fileOf(name: string): URL {
  return new URL(import.meta.resolve(`@chain-query/openapi/${name}`));
}
