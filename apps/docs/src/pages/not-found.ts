/** What a server answers for an address that has no page. */
import { html, raw } from "../site/html.ts";
import type { Page } from "../site/page.ts";

/**
 * Makes the page. It is shown at addresses of any depth, so it names the site's root as the base of its links: the one that the
 * site is built for, or, where the page is met elsewhere, the root of the server or the page's own folder on a disk.
 */
export function notFoundPage(siteUrl: string): Page {
  const base = new URL(siteUrl).pathname;
  return {
    path: "404.html",
    title: "There is no such page",
    description: "This address has no page. The guides and the reference are a link away.",
    layout: "landing",
    headings: [],
    markdown: undefined,
    base: raw(`<base href="${base}" /><script>
{const b=document.querySelector("base");if(!location.pathname.startsWith(b.getAttribute("href")))b.href=location.protocol==="file:"?"./":"/"}
</script>`),
    main: html`<section class="not-found prose">
<p class="number" aria-hidden="true">404</p>
<h1>There is no such page</h1>
<p class="lead">It may have moved, or the address has a slip in it.</p>
<p class="actions"><a class="button primary" href="./">To the start</a> <a class="button" href="reference/">To the reference</a></p>
</section>`,
  };
}
