/** Makes a page of the site from Markdown. */

import { markdownVersion } from "../markdown/markdown-version.ts";
import { type Rendered, renderMarkdown } from "../markdown/render.ts";
import { type LinkNames, targetOf } from "../markdown/targets.ts";
import { raw } from "../site/html.ts";
import type { Page } from "../site/page.ts";

/** The source of a page. */
export interface PageSource {
  text: string;
  /** File name in messages. */
  file: string;
  path: string;
  /** Folder of the drawings. */
  folder?: URL;
  /** Ids of headings that are not derived from their text. */
  idOf?: (heading: string) => string | undefined;
}

/** A page with the links and problems of its source, which the build checks. */
export interface MarkdownPage {
  page: Page;
  rendered: Rendered;
  file: string;
}

/** Renders a source. */
export function markdownPage(source: PageSource, names: LinkNames): MarkdownPage {
  const { text, path, file, folder = new URL("../../guides/", import.meta.url) } = source;
  const target = (href: string) => targetOf(href, path, names);
  const rendered = renderMarkdown({ ...source, folder, target });
  const page: Page = {
    path,
    title: rendered.title,
    description: rendered.lead,
    main: raw(rendered.html),
    // A page with problems is never written.
    markdown: rendered.problems.length > 0 ? undefined : markdownVersion(text, path, rendered.links, folder),
    headings: rendered.headings,
    layout: "article",
  };
  return { page, rendered, file };
}
