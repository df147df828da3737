/** Resolves the links of Markdown sources. */

import { operations } from "@chain-query/openapi/operations";
import { routeOf } from "../contract/contract.ts";

/** A path of the site, an address of another site, or the problem with the link. */
export type Target = { path: string } | { address: string } | { problem: string };

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
    if (operation) return { path: `reference/${routeOf(operation)}` };
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
