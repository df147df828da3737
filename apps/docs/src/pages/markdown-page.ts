/** Markdown as a page of the site. */

import { markdownVersion } from "../markdown/markdown-version.ts";
import { type Rendered, renderMarkdown } from "../markdown/render.ts";
import { type LinkNames, targetOf } from "../markdown/targets.ts";
import { raw } from "../site/html.ts";
import type { Page } from "../site/page.ts";

/** What a page is made of. */
export interface PageSource {
  text: string;
  /** As messages name it. */
  file: string;
  path: string;
  /** Where its drawings lie. */
  folder?: URL;
  /** The id of a heading, where it is not made of its words. */
  idOf?: (heading: string) => string | undefined;
}

/** A page, with the links and problems of its source that are still to be looked at. */
export interface MarkdownPage {
  page: Page;
  rendered: Rendered;
  file: string;
}

/** Renders a source; what is wrong in it comes back with the page. */
export function markdownPage(source: PageSource, names: LinkNames): MarkdownPage {
  const { text, path, file, folder = new URL("../../guides/", import.meta.url) } = source;
  const target = (href: string) => targetOf(href, path, names);
  const rendered = renderMarkdown({ ...source, folder, target });
  const page: Page = {
    path,
    title: rendered.title,
    description: rendered.lead,
    main: raw(rendered.html),
    // A source with a mistake in it never becomes a page.
    markdown: rendered.problems.length > 0 ? undefined : markdownVersion(text, path, rendered.links, folder),
    headings: rendered.headings,
    layout: "article",
  };
  return { page, rendered, file };
}
