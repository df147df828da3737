/** Finds broken links in Markdown sources and in finished pages. */
import type { FoundLink } from "../markdown/links.ts";
import { markdownPath, type Problem, wholeContractPath } from "./page.ts";

/** Link targets of the site. */
interface LinkTargets {
  /** Ids of the elements of each page, keyed by path, such as "guides/keys/". */
  ids: ReadonlyMap<string, ReadonlySet<string>>;
  /** Paths of all other files, such as "openapi.yaml". */
  files: ReadonlySet<string>;
}

/** The problem with a path below the site's root, if there is one. */
function brokenPath(path: string, { ids, files }: LinkTargets): string | undefined {
  const [target = "", fragment] = path.replace(/\?[^#]*/, "").split(/#(.*)/s);
  const pageIds = ids.get(target);
  if (pageIds === undefined) return files.has(target) ? undefined : `there is no page or file ${target}`;
  if (fragment === undefined || fragment === "" || pageIds.has(fragment)) return undefined;
  return `the page ${target || "of the root"} has no place #${fragment}`;
}

/** The broken links of a Markdown source. */
export function brokenLinks(file: string, links: readonly FoundLink[], places: LinkTargets): Problem[] {
  return links.flatMap(({ href, path, line }) => {
    const problem = brokenPath(path, places);
    return problem === undefined ? [] : [{ file, line, message: `the link to ${href} is broken: ${problem}` }];
  });
}

/** The broken links and missing files of a finished document. */
export function brokenReferences(path: string, document: string, places: LinkTargets): Problem[] {
  const file = documentPath(path);
  const visible = document.replaceAll(/<(script|style)\b[^>]*>([\s\S]*?)<\/\1>/g, (whole, _, text: string) =>
    whole.replace(text, () => text.replaceAll(/[^\n]/g, "")),
  );
  return [...visible.matchAll(/<(?!base\b)[a-z][^>]*?\s(?:href|src)="([^"]*)"/gi)].flatMap(({ 1: address = "", index }) => {
    // Redoc prerenders links as paths, which the script of that page turns into routes behind `#`.
    if (path === wholeContractPath && /^#?\//.test(address)) return [];
    const target = pathOf(address, path);
    if (target === undefined) return [];
    const problem = brokenPath(target, places);
    const line = visible.slice(0, index).split("\n").length;
    return problem === undefined ? [] : [{ file, line, message: `the link to ${address} is broken: ${problem}` }];
  });
}

/** Path of the file of a page. */
export function documentPath(path: string): string {
  return path.endsWith(".html") ? path : `${path}index.html`;
}

/** The path below the site's root; undefined for other sites. */
function pathOf(address: string, from: string): string | undefined {
  const root = "http://site.invalid/root/";
  const url = new URL(address.replaceAll("&amp;", "&"), `${root}${from}`);
  if (url.protocol !== "http:" || url.host !== "site.invalid") return undefined;
  const path = decodeURI(url.href.slice(root.length));
  return url.href.startsWith(root) ? path : `above the site's root: ${url.pathname}`;
}

/** Collects the link targets of finished documents, their Markdown versions and other files. */
export function collectLinkTargets(documents: ReadonlyMap<string, string>, files: Iterable<string>): LinkTargets {
  const ids = new Map(
    [...documents].map(([path, text]) => [path, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id))]),
  );
  return { ids, files: new Set([...files, ...[...documents.keys()].map(markdownPath)]) };
}
