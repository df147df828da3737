/** The HTML document of a page: head, header, sidebar, content, outline and footer. */
import { readFileSync } from "node:fs";
import { guidesArea } from "../pages/sidebar.ts";
import { type Html, html, raw } from "./html.ts";
import { editUrl } from "./options.ts";
import { markdownPath, type Page, relativeLink, type SiteContext, wholeContractPath } from "./page.ts";

/** Sets the colour scheme before the first paint: the stored choice, or that of the system. Redoc uses the same key. */
const themeScript = `(e=>{let t;try{t=localStorage.getItem("redoc.colorMode")}catch{}
if(t!=="light"&&t!=="dark")t=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";e.classList.remove("light","dark");e.classList.add(t,"js")})(document.documentElement)`;

export function documentOf(page: Page, site: SiteContext): string {
  const { path, title, description } = page;
  const fullTitle = path === "" ? `Chain Query: ${title}` : [title, page.area, "Chain Query"].filter(Boolean).join(" · ");
  const link = (to: string): string => relativeLink(path, to);
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${fullTitle}</title>
    <meta name="description" content="${description}" />
    ${page.base}
    ${page.markdown === undefined || site.archive ? raw('<meta name="robots" content="noindex" />') : undefined}
    ${page.markdown !== undefined && metadata(page, site)}
    <link rel="icon" type="image/svg+xml" href="${link("favicon.svg")}" />
    <meta name="color-scheme" content="light dark" />
    <script>${raw(themeScript)}</script>
    <link rel="stylesheet" href="${link(site.assets.style)}" />
    <script defer src="${link(site.assets.script)}"></script>
    ${page.head}
  </head>
  <body class="${page.layout} at-${path.split("/")[0] || "start"}">
${header(path, site)}
${site.archive && html`<p class="old">These are the pages of version ${site.version}. <a class="to-latest" href="${site.siteUrl}${path}">The latest version</a></p>`}
${bodies[page.layout](page, site)}
${page.layout !== "reference" && footer(page, site)}
  </body>
</html>
`.html;
}

/** Metadata for search engines, other sites and programs. */
function metadata({ path, title, description }: Page, { siteUrl }: SiteContext): Html {
  const canonical = `${siteUrl}${path}`;
  return html`<link rel="canonical" href="${canonical}" />
    <link rel="alternate" type="text/markdown" href="${relativeLink(path, markdownPath(path))}" title="This page as Markdown" />
    <meta property="og:type" content="${path === "" ? "website" : "article"}" />
    <meta property="og:site_name" content="Chain Query" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${canonical}" />
    <meta property="og:image" content="${siteUrl}social-card.png" />
    <meta property="og:image:alt" content="Chain Query: read a blockchain node over HTTP" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

const bodies: Record<Page["layout"], (page: Page, site: SiteContext) => Html> = {
  landing: (page) => html`<main id="main" tabindex="-1">${page.main}</main>`,
  // Redoc and the playground have a main element.
  reference: (page) => html`<div id="main" tabindex="-1">${page.main}</div>`,
  article: (page, site) => html`<div class="columns">
${sidebar(page, site)}
<main id="main" tabindex="-1">${pageActions(page)}<article>${page.main}</article>
${neighbours(page.path, site)}</main>
${outline(page)}
</div>`,
};

/** The entries of the header. */
const headerEntries = [
  { path: "guides/", title: "Guides", within: /^(guides|workflows|errors|decisions|changelog)\// },
  { path: "client/", title: "Client", within: /^client\// },
  { path: "reference/", title: "Reference", within: /^reference\// },
  { path: "playground/", title: "Playground", within: /^playground\// },
];

/** Inline, so that it has the colours of the page. */
const logo = raw(
  readFileSync(new URL("../assets/logo.svg", import.meta.url), "utf8")
    .trim()
    .replace(/<title>.*<\/title>/, "")
    .replace("<svg ", '<svg class="logo" aria-hidden="true" focusable="false" '),
);
const lens =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/></svg>';
const sun =
  '<svg class="sun" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="4.2"/><path d="M12 2.5v2.6M12 18.9v2.6M2.5 12h2.6M18.9 12h2.6M5.3 5.3l1.8 1.8M16.9 16.9l1.8 1.8M18.7 5.3l-1.8 1.8M7.1 16.9l-1.8 1.8"/></svg>';
const moon =
  '<svg class="moon" viewBox="0 0 24 24" aria-hidden="true"><path d="M20 14.2A8.4 8.4 0 0 1 9.8 4a8.4 8.4 0 1 0 10.2 10.2z"/></svg>';

/** The skip link, and the header with logo, navigation, search and the switch between light and dark. */
function header(path: string, site: SiteContext): Html {
  const entries = headerEntries.map(({ path: to, title, within }) => {
    const current = within.test(path);
    return html`<li><a href="${relativeLink(path, to)}"${current && raw(' aria-current="true"')}>${title}</a></li>`;
  });
  return html`<a class="skip" href="#main">Skip to the content</a>
<header class="site-header">
  <div class="bar">
    <a class="brand" href="${relativeLink(path, "")}">${logo}<span>Chain Query</span></a>
    ${versionList(site)}
    <nav aria-label="Site"><ul>${entries}</ul></nav>
    <button type="button" class="find" data-search="${relativeLink(path, site.assets.search)}" data-index="${relativeLink(path, site.assets.index)}">${raw(lens)}<span>Search</span><kbd aria-hidden="true">/</kbd></button>
    <button type="button" class="theme" data-theme-switch aria-label="Switch between light and dark">${raw(sun + moon)}</button>
  </div>
</header>`;
}

/** The version of the contract, as a list of all released ones if there are any. */
function versionList({ version, versions, siteUrl }: SiteContext): Html {
  // A version that is not released yet, such as 2.0.0-0, is a preview.
  const shown = version.includes("-") ? "preview" : version;
  if (versions.length === 0) return html`<span class="version" title="Version ${version} of the contract">${shown}</span>`;
  const links = versions.map((one) => html`<li><a href="${siteUrl}v/${one}/">${one}</a></li>`);
  return html`<details class="versions"><summary class="version" aria-label="Version ${version}">${shown}</summary><ul>${links}</ul></details>`;
}

/** The list of pages of an area. */
function sidebar({ path, area = guidesArea }: Page, site: SiteContext): Html {
  const sections = site.sections
    .filter((section) => section.area === area)
    .map(
      ({ title, entries }) =>
        html`<li class="section"><h2>${title}</h2><ul>${entries.map(
          (entry) =>
            html`<li><a href="${relativeLink(path, entry.path)}"${entry.path === path && raw(' aria-current="page"')}>${entry.title}</a></li>`,
        )}</ul></li>`,
    );
  return html`<div class="sidebar"><button type="button" class="menu" data-menu aria-expanded="false" aria-controls="pages">${area}: all pages</button>
<nav id="pages" aria-label="Pages"><ul>${sections}</ul></nav></div>`;
}

/** Links about the page itself. */
function pageActions({ path, area, markdown, source }: Page): Html {
  const version = relativeLink(path, markdownPath(path));
  return html`<ul class="page-actions">${
    area === "Reference" && html`<li><a href="${relativeLink(path, wholeContractPath)}">The whole contract on one page</a></li>`
  }${
    markdown !== undefined && html`<li><a href="${version}">View as Markdown</a></li>`
  }${source !== undefined && html`<li><a href="${editUrl(source)}">Edit page</a></li>`}</ul>`;
}

/** The list of headings, unless there are fewer than two. */
function outline({ headings }: Page): Html | undefined {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return undefined;
  const entries = shown.map(({ id, text, level }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`);
  return html`<nav class="outline" aria-labelledby="outline-title"><h2 id="outline-title">On this page</h2><ul>${entries}</ul></nav>`;
}

/** Links to the previous and the next page of the sidebar. */
function neighbours(path: string, site: SiteContext): Html | undefined {
  const entries = site.sections.flatMap((section) => section.entries);
  const index = entries.findIndex((entry) => entry.path === path);
  if (index === -1) return undefined;
  const [previous, next] = [entries[index - 1], entries[index + 1]];
  const link = (entry: { path: string; title: string } | undefined, rel: "prev" | "next"): Html | undefined =>
    entry &&
    html`<a class="${rel}" rel="${rel}" href="${relativeLink(path, entry.path)}"><small>${rel === "prev" ? "Previous" : "Next"}</small><span>${entry.title}</span></a>`;
  return html`<nav class="neighbours" aria-label="Previous and next page">${link(previous, "prev")}${link(next, "next")}</nav>`;
}

const footerLinks = [
  ["decisions/", "Decisions"],
  ["changelog/", "Changelog"],
  ["guides/compatibility/", "Compatibility"],
  ["openapi.yaml", "openapi.yaml"],
  ["openapi.json", "openapi.json"],
  ["llms.txt", "llms.txt"],
] as const;

/** The footer. */
function footer(page: Page, site: SiteContext): Html {
  const { path, layout } = page;
  return html`<footer class="site-footer"><div class="bar">
  <p>Chain Query, contract ${site.version}. MIT licence.</p>
  ${layout === "landing" && pageActions(page)}
  <ul>${footerLinks.map(([to, title]) => html`<li><a href="${relativeLink(path, to)}">${title}</a></li>`)}</ul>
</div></footer>`;
}
