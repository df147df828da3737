/** Whether every link of the site leads somewhere. */

import type { FoundLink } from "../markdown/render.ts";
import { markdownPath } from "./links.ts";
import type { Problem } from "./problem.ts";

/** What a link can lead to. */
export interface Places {
  /** Ids of each page's elements, by the page's path such as "guides/keys/". */
  ids: ReadonlyMap<string, ReadonlySet<string>>;
  /** Paths of all other files, such as "openapi.yaml". */
  files: ReadonlySet<string>;
  /** What stands behind the `#` of the reference's operations. */
  routes: ReadonlySet<string>;
}

/** Says what is wrong with a path below the site's root, or nothing. */
function brokenPath(path: string, { ids, files, routes }: Places): string | undefined {
  const [place = "", fragment] = path.split(/#(.*)/s);
  // Earlier versions are kept where the site is published, not where it is built.
  if (place.startsWith("v/")) return undefined;
  const known = ids.get(place);
  if (known === undefined) return files.has(place) ? undefined : `there is no page or file ${place}`;
  if (fragment === undefined || fragment === "" || known.has(fragment)) return undefined;
  if (fragment.startsWith("/")) return routes.has(fragment) ? undefined : `the reference has no place #${fragment}`;
  return `the page ${place || "of the root"} has no place #${fragment}`;
}

/** The links of one source that lead nowhere. */
export function brokenLinks(file: string, links: readonly FoundLink[], places: Places): Problem[] {
  return links.flatMap(({ href, path, line }) => {
    const says = brokenPath(path, places);
    return says === undefined ? [] : [{ file, line, says: `the link to ${href} is broken: ${says}` }];
  });
}

/** The links and files of one finished document that are not there. `path` is where the document lies. */
export function brokenReferences(path: string, document: string, places: Places): Problem[] {
  const file = documentPath(path);
  const visible = document.replaceAll(/<(script|style)\b[^>]*>([\s\S]*?)<\/\1>/g, (whole, _, text: string) =>
    whole.replace(text, () => text.replaceAll(/[^\n]/g, "")),
  );
  return [...visible.matchAll(/<(?!base\b)[a-z][^>]*?\s(?:href|src)="([^"]*)"/gi)].flatMap(({ 1: address = "", index }) => {
    // Redoc prerenders links as paths, which the script of the reference turns into routes behind `#`.
    if (path === "reference/" && /^#?\//.test(address)) return [];
    const target = pathOf(address, path);
    if (target === undefined) return [];
    const says = brokenPath(target, places);
    const line = visible.slice(0, index).split("\n").length;
    return says === undefined ? [] : [{ file, line, says: `the link to ${address} is broken: ${says}` }];
  });
}

/** Path of the file that holds a page's document. */
export function documentPath(path: string): string {
  return path.endsWith(".html") ? path : `${path}index.html`;
}

/** Where an address leads below the site's root; undefined where that is elsewhere. */
function pathOf(address: string, from: string): string | undefined {
  const root = "http://site.invalid/root/";
  const url = new URL(address.replaceAll("&amp;", "&"), `${root}${from}`);
  if (url.protocol !== "http:" || url.host !== "site.invalid") return undefined;
  const path = decodeURI(url.href.slice(root.length).replace(/\?[^#]*/, ""));
  return url.href.startsWith(root) ? path : `above the site's root: ${url.pathname}`;
}

/** Paths that every page brings along: itself, and its Markdown face. */
export function placesOf(documents: ReadonlyMap<string, string>, files: Iterable<string>, routes: Iterable<string>): Places {
  const ids = new Map(
    [...documents].map(([path, text]) => [path, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id))]),
  );
  return { ids, files: new Set([...files, ...[...documents.keys()].map(markdownPath)]), routes: new Set(routes) };
}
