/** What a guide can link to, and where on the site that lies. */

import { operations } from "@chain-query/openapi/operations";
import { routeOf } from "../contract/contract.ts";

/** Where a link leads: a place of the site, an address elsewhere, or nowhere, with what is wrong. */
export type Target = { path: string } | { address: string } | { says: string };

/** The names that a link can use. */
export interface LinkNames {
  /** Ids of the decisions, such as "D-07". */
  decisions: readonly string[];
  /** Paths of pages by the name of their Markdown file, such as "keys-and-limits.md". */
  guides: Readonly<Record<string, string>>;
}

/**
 * Finds what a link of a guide means: `operation:lookupBlock`, `decision:D-07`, `site:openapi.yaml` for a path of the site,
 * `other-guide.md#heading` for another guide, `#heading` for this page, or an https address.
 */
export function targetOf(href: string, from: string, names: LinkNames): Target {
  const [, scheme = "", rest = ""] = /^([a-z]+):(.*)$/s.exec(href) ?? [];
  const way = schemes[scheme];
  if (way) return way(rest, names, href);
  if (href.startsWith("#")) return { path: `${from}${href}` };
  const [file = "", fragment] = href.split("#");
  const path = names.guides[file];
  if (path === undefined) return { says: `${href} is no guide; there are ${Object.keys(names.guides).join(", ")}` };
  return { path: fragment === undefined ? path : `${path}#${fragment}` };
}

const schemes: Record<string, (rest: string, names: LinkNames, href: string) => Target> = {
  operation: (id) => {
    const operation = operations.find((one) => one.id === id);
    if (operation) return { path: `reference/${routeOf(operation)}` };
    return { says: `the contract has no operation ${id}; it has ${operations.map((one) => one.id).join(", ")}` };
  },
  decision: (id, { decisions }) =>
    decisions.includes(id)
      ? { path: `decisions/#${id.toLowerCase()}` }
      : { says: `there is no decision ${id}; they go from ${decisions[0]} to ${decisions.at(-1)}` },
  site: (path) => ({ path }),
  https: (_, __, href) => ({ address: href }),
};
