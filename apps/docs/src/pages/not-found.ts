/** Makes the page for unknown addresses. */
import { html, raw } from "../site/html.ts";
import type { Page } from "../site/page.ts";

/**
 * Makes the page. Servers send it for addresses of any depth, so it needs a base element with the path of the published site. If the
 * site is served at another path, a script sets it to the folder docs/ in the address (a service serves the site there), or to the root of
 * the server.
 */
export function notFoundPage(siteUrl: string): Page {
  const base = new URL(siteUrl).pathname;
  return {
    path: "404.html",
    title: "There is no such page",
    description: "There is no page at this address. It links to the guides and the reference.",
    layout: "landing",
    headings: [],
    markdown: undefined,
    base: raw(`<base href="${base}" /><script>
{const b=document.querySelector("base");if(!location.pathname.startsWith(b.getAttribute("href")))b.href=/^.*?\\/docs\\//.exec(location.pathname)?.[0]??"/"}
</script>`),
    main: html`<section class="not-found prose">
<p class="number" aria-hidden="true">404</p>
<h1>There is no such page</h1>
<p class="lead">The page may have moved, or the address has a typing error.</p>
<p class="scripted"><button type="button" class="search-field" data-open-search>Search guides, client and operations</button></p>
<p class="actions"><a class="button primary" href="./">To the start</a> <a class="button" href="reference/">To the reference</a></p>
</section>`,
  };
}
