/** Makes a page of the site from Markdown. */
import { type LinkNames, markdownVersion, type Target, targetOf } from "../markdown/links.ts";
import { type Rendered, renderMarkdown } from "../markdown/render.ts";
import { raw } from "../site/html.ts";
import type { Page } from "../site/page.ts";

/** The source of a page. */
interface PageSource {
  text: string;
  /** File name in messages. */
  file: string;
  /** The file to edit, below the repository; default: `file` in this package. */
  source?: string;
  path: string;
  /** Folder of the drawings. */
  folder?: URL;
  /** Ids of headings that are not derived from their text. */
  idOf?: (heading: string) => string | undefined;
  /** Resolves links; default: targetOf. */
  target?: (href: string) => Target;
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
  const { target = (href: string) => targetOf(href, path, names) } = source;
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
    source: source.source ?? `apps/docs/${file}`,
  };
  return { page, rendered, file };
}
