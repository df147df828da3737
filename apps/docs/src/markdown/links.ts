/** The links of Markdown sources: resolves them, and rewrites them for the Markdown version of a page. */
import { operations } from "@chain-query/openapi/operations";
import { markdownPath, operationPath, relativeLink } from "../site/page.ts";
import { describeDrawing } from "./figures.ts";

/** A path of the site, an address of another site, or the problem with the link. */
export type Target = { path: string } | { address: string } | { problem: string };

/** A link within the site. */
export interface FoundLink {
  href: string;
  /** Path below the site's root, with the fragment. */
  path: string;
  line: number;
}

/** Names that links can have as targets. */
export interface LinkNames {
  /** Ids of the decisions, such as "D-07". */
  decisions: readonly string[];
  /** Paths of pages by the name of their Markdown file, such as "keys-and-limits.md". */
  guides: Readonly<Record<string, string>>;
  /** Paths of the exports of the client, such as "createClient". */
  exports: Readonly<Record<string, string>>;
}

/**
 * Resolves `operation:lookupBlock`, `decision:D-07`, `client:createClient` for an export of the client, `site:openapi.yaml` for a path
 * of the site, `other-guide.md#heading` for another guide, `#heading` for this page, or an https address.
 */
export function targetOf(href: string, from: string, names: LinkNames): Target {
  const [, scheme = "", rest = ""] = /^([a-z]+):(.*)$/s.exec(href) ?? [];
  const resolve = schemes[scheme];
  if (resolve) return resolve(rest, names, href);
  if (href.startsWith("#")) return { path: `${from}${href}` };
  const [file = "", fragment] = href.split("#");
  const path = names.guides[file];
  if (path === undefined) return { problem: `${href} is not a guide; expected one of ${Object.keys(names.guides).join(", ")}` };
  return { path: fragment === undefined ? path : `${path}#${fragment}` };
}

const schemes: Record<string, (rest: string, names: LinkNames, href: string) => Target> = {
  operation: (id) => {
    const operation = operations.find((one) => one.id === id);
    if (operation) return { path: operationPath(operation.id) };
    return { problem: `the contract has no operation ${id}; it has ${operations.map((one) => one.id).join(", ")}` };
  },
  decision: (id, { decisions }) =>
    decisions.includes(id)
      ? { path: `decisions/#${id.toLowerCase()}` }
      : { problem: `there is no decision ${id}; they go from ${decisions[0]} to ${decisions.at(-1)}` },
  client: (name, { exports }) => {
    const path = Object.hasOwn(exports, name) ? exports[name] : undefined;
    return path === undefined ? { problem: `the client does not export ${name}` } : { path };
  },
  site: (path) => ({ path }),
  https: (_, __, href) => ({ address: href }),
};

/**
 * Rewrites the links and drawings, except in code blocks.
 *
 * @param path path of the page, such as "guides/keys/"
 * @param folder the folder of its drawings
 */
export function markdownVersion(text: string, path: string, links: readonly FoundLink[], folder: URL): string {
  const addresses = new Map(links.map(({ href, path: to }) => [href, markdownLink(path, to)]));
  return text
    .split(/^(```[\s\S]*?^```$)/m)
    .map((block) =>
      block.startsWith("```")
        ? block
        : block
            .replaceAll(/!\[([^\]]*)\]\(([^()\s]+)\)/g, (_, caption: string, name: string) =>
              describeDrawing(new URL(name, folder), caption),
            )
            .replaceAll(/\]\(([^()\s]+)\)/g, (whole, href: string) => {
              const address = addresses.get(href);
              return address === undefined ? whole : `](${address})`;
            }),
    )
    .join("");
}

/** The relative link from one Markdown version to another, or to a file. */
export function markdownLink(from: string, to: string): string {
  const [place = "", heading] = to.split("#");
  const file = place === "" || place.endsWith("/") ? markdownPath(place) : place;
  return relativeLink(markdownPath(from), heading ? `${file}#${heading}` : file);
}
