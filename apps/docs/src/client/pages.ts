/** Makes the pages about the client: its README in parts, and the API reference of its entry points. */
import { readFileSync } from "node:fs";
import { type LinkNames, type Target, targetOf } from "../markdown/links.ts";
import { type MarkdownPage, markdownPage } from "../pages/markdown-page.ts";
import { repository } from "../site/options.ts";
import { apiMarkdown } from "./api-markdown.ts";
import { type EntryPoint, readEntryPoints } from "./declarations.ts";
import { divideReadme } from "./readme.ts";

/** Path of the first page. */
const clientPath = "client/";
const area = "Client";
const folder = "packages/client";
const manifest = new URL(import.meta.resolve("@chain-query/client/package.json"));

/** Reads the exports of the built client. */
export function readClient(): EntryPoint[] {
  return readEntryPoints(manifest);
}

/** Paths of the exports by name. If two entry points have different exports of one name, it is that of the first. */
export function exportPaths(entries: readonly EntryPoint[]): Record<string, string> {
  const paths = entries.flatMap((entry) =>
    entry.exports.map(({ name }) => [name, `${apiPath(entry)}#${name.toLowerCase()}`] as const),
  );
  return Object.fromEntries(paths.reverse());
}

/** Makes all pages about the client. */
export function clientPages(entries: readonly EntryPoint[], names: LinkNames): MarkdownPage[] {
  return [...readmePages(readFileSync(new URL("README.md", manifest), "utf8"), names), ...apiPages(entries, names)];
}

/** Makes the pages of a README. */
export function readmePages(readme: string, names: LinkNames): MarkdownPage[] {
  const { pages, places } = divideReadme(withAddresses(readme), clientPath);
  return pages.map(({ path, section, text }) => {
    const made = markdownPage(
      {
        text: path === clientPath ? text : withFirstExample(text),
        file: `${folder}/README.md, page ${path}`,
        source: `${folder}/README.md`,
        path,
        target: (href) => (href.startsWith("#") ? placeOf(href, places) : targetOf(href, path, names)),
      },
      names,
    );
    const { title, lead } = made.rendered;
    const description =
      lead.length > 40 && lead.endsWith(".") ? lead : `${title}: with the client for TypeScript and JavaScript.`;
    return { ...made, page: { ...made.page, area, section, description } };
  });
}

function apiPages(entries: readonly EntryPoint[], names: LinkNames): MarkdownPage[] {
  const exported = new Set(entries.flatMap(({ exports }) => exports.map(({ name }) => name)));
  return entries.map((entry) => {
    const { source } = entry;
    const made = markdownPage({ text: apiMarkdown(entry, exported), file: source, source, path: apiPath(entry) }, names);
    return { ...made, page: { ...made.page, area, section: "API of the client" } };
  });
}

/** "client/api/" for the main entry point, "client/api/address/" for another, "client/api/types/" for another package. */
function apiPath({ specifier, exportedBy }: EntryPoint): string {
  const name = specifier.split("/")[exportedBy === undefined ? 2 : 1];
  return `${clientPath}api/${name === undefined ? "" : `${name}/`}`;
}

/** The README with links to guides, and with the addresses of other files that it links to. */
function withAddresses(readme: string): string {
  const base = `${repository}/blob/main/${folder}/`;
  return readme
    .replaceAll("](../../apps/docs/guides/", "](guide:")
    .replaceAll(/\]\((?!#|[a-z]+:)([^()\s]+)\)/g, (_, href: string) => `](${new URL(href, base).href})`)
    .replaceAll("](guide:", "](");
}

/** The page with a heading of the README. */
function placeOf(href: string, places: ReadonlyMap<string, string>): Target {
  const path = places.get(href.slice(1));
  return path === undefined ? { problem: `the README has no heading ${href}` } : { path };
}

/** Code of the README may use the client of its first example, which is on another page. */
function withFirstExample(text: string): string {
  const code = /^```ts\n([\s\S]*?)^```$/m.exec(text);
  if (code === null || !/(?<!@)\bchain\b(?!-)/.test(code[1] ?? "") || /\bchain = /.test(code[1] ?? "")) return text;
  const note = `> [!NOTE]\n> \`chain\` is the client of [the first example](site:${clientPath}).\n\n`;
  return text.slice(0, code.index) + note + text.slice(code.index);
}
