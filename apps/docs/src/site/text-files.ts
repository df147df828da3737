/** Makes files for programs: pages as Markdown, llms.txt, sitemap and robots.txt. */
import { escapeHtml } from "./html.ts";
import { markdownPath, type Page, type Section, type SiteContext, type SiteFile } from "./page.ts";

/** Makes all these files. An archive has no robots.txt and sitemap.xml, since search engines should not index it. */
export function textFiles(pages: readonly Page[], site: SiteContext): SiteFile[] {
  const markdownFiles = pages.flatMap(({ path, markdown }) =>
    markdown === undefined ? [] : [{ path: markdownPath(path), content: markdown }],
  );
  const listed = pages.filter(({ markdown }) => markdown !== undefined);
  return [
    ...markdownFiles,
    { path: "llms.txt", content: llms(listed, site) },
    { path: "llms-full.txt", content: llmsFull(listed, site) },
    ...(site.archive
      ? []
      : [
          { path: "robots.txt", content: robots(site) },
          { path: "sitemap.xml", content: sitemap(listed, site) },
        ]),
  ];
}

/** The list of pages in the format of llmstxt.org. */
function llms(pages: readonly Page[], site: SiteContext): string {
  const pageByPath = new Map(pages.map((page) => [page.path, page]));
  const line = (path: string): string => {
    const page = pageByPath.get(path);
    return page ? `- [${page.title}](${site.siteUrl}${markdownPath(path)}): ${page.description}` : "";
  };
  const section = ({ title, entries }: Section): string => `## ${title}\n\n${entries.map(({ path }) => line(path)).join("\n")}`;
  const inSidebar = new Set(["", ...site.sections.flatMap(({ entries }) => entries.map(({ path }) => path))]);
  const others = pages.filter(({ path }) => !inSidebar.has(path)).map(({ path }) => line(path));
  return `# Chain Query

> ${pageByPath.get("")?.description ?? ""} This is version ${site.version}.

All pages in one file: ${site.siteUrl}llms-full.txt

## Reference

${others.join("\n")}
- [The contract](${site.siteUrl}openapi.yaml): OpenAPI 3.1, also as ${site.siteUrl}openapi.json

${site.sections.map(section).join("\n\n")}
`;
}

function llmsFull(pages: readonly Page[], site: SiteContext): string {
  return pages.map(({ path, markdown }) => `<!-- ${site.siteUrl}${path} -->\n\n${markdown?.trim()}\n`).join("\n");
}

function robots({ siteUrl }: SiteContext): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}sitemap.xml\n`;
}

function sitemap(pages: readonly Page[], { siteUrl }: SiteContext): string {
  const urls = pages.map(({ path }) => `  <url><loc>${escapeHtml(siteUrl + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
}
