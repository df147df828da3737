/** Makes the pages of the client: its README in parts, and a list of the exports of each entry point. */
import { readdirSync, readFileSync } from "node:fs";
import GithubSlugger from "github-slugger";
import { type LinkNames, targetOf } from "../markdown/links.ts";
import { repository } from "../site/options.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

/** An import path of the client. */
export interface EntryPoint {
  /** Such as "@chain-query/client/address". */
  specifier: string;
  /** Path of its page. */
  path: string;
  source: string;
  names: string[];
}

const root = "client/";
const folder = "packages/client";
const manifest = new URL(import.meta.resolve("@chain-query/client/package.json"));
const sourceFolders = [new URL("src/", manifest), new URL("../../openapi/src/", manifest)];

/** The first paragraphs of the comments of exported functions, classes and constants, by name. */
export const comments: ReadonlyMap<string, string> = new Map(
  sourceFolders
    .flatMap((place) => readdirSync(place, { recursive: true, encoding: "utf8" }).map((name) => new URL(name, place)))
    .filter(({ pathname }) => pathname.endsWith(".ts") && !pathname.endsWith(".d.ts"))
    .flatMap((file) => [
      ...readFileSync(file, "utf8").matchAll(
        /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:async )?(?:function|class|const) (\w+)/g,
      ),
    ])
    .map(([, comment = "", name = ""]) => {
      const [first = ""] = comment
        .replaceAll(/^ *\* ?/gm, "")
        .trim()
        .split(/\n\n|\n@/);
      return [name, first.replaceAll(/\{@link (\S+?)\}/g, "`$1`").replaceAll(/\s+/g, " ")] as const;
    }),
);

/** Reads the entry points in the order of package.json, with the functions, classes and constants that each exports. */
export async function readClient(): Promise<EntryPoint[]> {
  const { name, exports }: { name: string; exports: object } = JSON.parse(readFileSync(manifest, "utf8"));
  const paths = Object.keys(exports).filter((path) => path !== "./package.json");
  return Promise.all(
    paths.map(async (path) => {
      const specifier = `${name}${path.slice(1)}`;
      const module: object = await import(specifier);
      const source = `${folder}/src/${path === "." ? "index" : path.slice(2)}.ts`;
      return { specifier, path: `${root}api/${path === "." ? "" : `${path.slice(2)}/`}`, source, names: Object.keys(module) };
    }),
  );
}

/** Paths of the exports by name; if two entry points export a name, that of the first. */
export function exportPaths(entries: readonly EntryPoint[]): Record<string, string> {
  const paths = entries.flatMap(({ path, names }) => names.map((name) => [name, `${path}#${name.toLowerCase()}`] as const));
  return Object.fromEntries(paths.reverse());
}

/** Makes all pages about the client. */
export function clientPages(entries: readonly EntryPoint[], names: LinkNames): MarkdownPage[] {
  const readme = readFileSync(new URL("README.md", manifest), "utf8");
  return [...readmePages(readme, names), ...entries.map((entry) => entryPage(entry, readme, names))];
}

/** Makes a page of the text before the first heading of level 2, and of each section. */
function readmePages(readme: string, names: LinkNames): MarkdownPage[] {
  const [first = "", ...sections] = withAddresses(readme).split(/^(?=## )/m);
  const parts = [
    { path: root, text: first },
    ...sections.map((text) => {
      const slug = new GithubSlugger().slug(/^## (.*)/.exec(text)?.[1]?.replaceAll("`", "") ?? "");
      return { path: `${root}${slug}/`, text: text.replaceAll(/^#(#+ )/gm, "$1") };
    }),
  ];
  return parts.map(({ path, text }) => {
    const target = (href: string) => {
      const place = href.startsWith("#") && parts.find((part) => part.path === `${root}${href.slice(1)}/`);
      return place ? { path: place.path } : targetOf(href, path, names);
    };
    const source = `${folder}/README.md`;
    const made = markdownPage({ text, file: `${source}, page ${path}`, source, path, target }, names);
    const { title, lead } = made.rendered;
    const description =
      lead.length > 40 && lead.endsWith(".") ? lead : `${title}: with the client for TypeScript and JavaScript.`;
    return { ...made, page: { ...made.page, area: "Client", section: "Client", description } };
  });
}

function entryPage({ specifier, path, source, names: exported }: EntryPoint, readme: string, names: LinkNames): MarkdownPage {
  const row = readme.split("\n").find((line) => line.startsWith(`| \`${specifier}\` `));
  const text = [
    `# API: ${specifier.replace(/^@[^/]+\//, "")}`,
    `Functions, classes and constants that \`${specifier}\` exports: ${row?.split("|")[2]?.trim() ?? "see the README"}. Editors show their types and examples.`,
    ...exported.toSorted().map((name) => `## ${name}\n\n${comments.get(name) ?? ""}`),
    `The [README](site:${root}) explains their use, and [its options](site:${root}options/) and [errors](site:errors/) have pages.\n`,
  ].join("\n\n");
  const made = markdownPage({ text, file: source, source, path }, names);
  return { ...made, page: { ...made.page, area: "Client", section: "API of the client" } };
}

/** The README with links to guides, and with the addresses of other files that it links to. */
function withAddresses(readme: string): string {
  const base = `${repository}/blob/main/${folder}/`;
  return readme
    .replaceAll("](../../apps/docs/guides/", "](guide:")
    .replaceAll(/\]\((?!#|[a-z]+:)([^()\s]+)\)/g, (_, href: string) => `](${new URL(href, base).href})`)
    .replaceAll("](guide:", "](");
}
