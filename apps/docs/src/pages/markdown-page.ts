/** Makes pages from Markdown: any text, the guides, and the decisions of the contract. */

import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { type DecisionPlace, decisions, info } from "@chain-query/openapi/operations";
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

const examples = new URL("../../../../examples/", import.meta.url);

/** Paths of the guides, keyed by file name. */
export function guidePaths(folder: URL): Record<string, string> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(files.sort().map((name) => [name, `guides/${name.slice(0, -3)}/`]));
}

/** Renders every guide of the folder. */
export function guidePages(names: LinkNames, folder: URL): MarkdownPage[] {
  return Object.entries(names.guides).map(([name, path]) => {
    const file = `guides/${name}`;
    const source = withoutPreviewNotes(readFileSync(new URL(name, folder), "utf8"), info.version);
    const text = insertExamples(insertContractSections(source, file));
    return markdownPage({ text, file, folder, path }, names);
  });
}

/** Removes the lines between `<!-- preview -->` and `<!-- /preview -->`, unless the version is a prerelease, such as 2.0.0-0. */
export function withoutPreviewNotes(text: string, version: string): string {
  return text.replaceAll(/^<!-- preview -->\n(.*?)^<!-- \/preview -->\n/gms, version.includes("-") ? "$1" : "");
}

/** Replaces `<!-- contract: Heading -->` by that section of the contract's description. */
function insertContractSections(text: string, file: string): string {
  return text.replaceAll(/^<!-- contract: (.+) -->$/gm, (_, heading: string) => {
    const sections = info.description.split(/^## /m);
    const section = sections.find((candidate) => candidate.startsWith(`${heading}\n`));
    if (section === undefined) throw new Error(`${file}: the contract's description has no section ${heading}`);
    return section.slice(heading.length).trim();
  });
}

/** Replaces `<!-- example: explorer/explorer.ts -->` by the code of that file below `examples/`. */
function insertExamples(text: string): string {
  return text.replaceAll(/^<!-- example: (.+) -->$/gm, (_, path: string) => {
    const code = readFileSync(new URL(path, examples), "utf8");
    return `\`\`\`${extname(path).slice(1)}\n${code}\`\`\``;
  });
}

/** Makes the page of the decisions. Each one lists the places of the contract that name it. */
export function decisionsPage(names: LinkNames): MarkdownPage {
  const text = readFileSync(new URL(import.meta.resolve("@chain-query/openapi/DECISIONS.md")), "utf8");
  const linked = text
    .replace(/^# .*$/m, "# Design decisions")
    .replaceAll(/(?<!^## )\b(D-\d\d+)\b/gm, (whole, id: string) =>
      names.decisions.includes(id) ? `[${id}](decision:${id})` : whole,
    )
    .replaceAll(/^- (Date|The document|We chose|Why): /gm, (_, label: string) => `- **${label}:** `);
  const withPlaces = linked
    .split(/(?=^## )/m)
    .map((section) => {
      const decision = decisions.find(({ id }) => section.startsWith(`## ${id} `));
      if (decision === undefined) return section;
      return `${section.trimEnd()}\n- **Where:** ${decision.places.map(placeText).join(", ")}\n\n`;
    })
    .join("");
  return markdownPage(
    {
      text: withPlaces,
      file: "DECISIONS.md",
      source: "openapi/DECISIONS.md",
      path: "decisions/",
      idOf: (heading) => /^D-\d+/.exec(heading)?.[0].toLowerCase(),
    },
    names,
  );
}

function placeText({ operation, component }: DecisionPlace): string {
  if (operation !== undefined) return `[\`${operation}\`](operation:${operation})`;
  return component === undefined ? "the whole contract" : `\`${component}\``;
}
