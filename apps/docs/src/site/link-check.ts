/** Finds broken links in Markdown sources. */
import type { FoundLink } from "../markdown/links.ts";
import { markdownPath, type Page, type Problem } from "./page.ts";

/** Link targets of the site. */
interface LinkTargets {
  /** Ids of the elements of each page, keyed by path, such as "guides/keys/". */
  ids: ReadonlyMap<string, ReadonlySet<string>>;
  /** Paths of all other files, such as "openapi.yaml". */
  files: ReadonlySet<string>;
}

/** The broken links of a Markdown source. */
export function brokenLinks(file: string, links: readonly FoundLink[], targets: LinkTargets): Problem[] {
  return links.flatMap(({ href, path, line }) => {
    const problem = brokenPath(path, targets);
    return problem === undefined ? [] : [{ file, line, message: `the link to ${href} is broken: ${problem}` }];
  });
}

function brokenPath(path: string, { ids, files }: LinkTargets): string | undefined {
  const [target = "", fragment] = path.replace(/\?[^#]*/, "").split(/#(.*)/s);
  const pageIds = ids.get(target);
  if (pageIds === undefined) return files.has(target) ? undefined : `there is no page or file ${target}`;
  if (fragment === undefined || fragment === "" || pageIds.has(fragment)) return undefined;
  return `the page ${target || "of the root"} has no place #${fragment}`;
}

/** Collects the link targets of pages, their Markdown versions and other files. */
export function collectLinkTargets(pages: readonly Page[], files: readonly string[]): LinkTargets {
  const idsIn = ({ html }: Page["main"]): Set<string> =>
    new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id));
  return {
    ids: new Map(pages.map(({ path, main }) => [path, idsIn(main)])),
    files: new Set([...files, ...pages.map(({ path }) => markdownPath(path))]),
  };
}
