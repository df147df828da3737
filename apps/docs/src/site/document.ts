/** Writes the HTML document of a page: head, header, content, footer. */

import { footer, header, neighbours, outline, pageActions, sidebar } from "./chrome.ts";
import { type Html, html, raw } from "./html.ts";
import { markdownPath, relativeLink } from "./links.ts";
import type { Page, SiteContext } from "./page.ts";

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
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
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
