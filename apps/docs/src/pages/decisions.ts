/** The decisions of the contract as a page. */
import { operations } from "@chain-query/openapi/operations";
import type { Contract } from "../contract/contract.ts";
import type { LinkNames } from "../markdown/targets.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

/** Makes the page. Each decision lists the places of the contract that name it. */
export function decisionsPage(text: string, contract: Contract, names: LinkNames): MarkdownPage {
  const places = placesOfDecisions(contract);
  const linked = text
    .replace(/^# .*$/m, "# What the document does not say")
    .replaceAll(/(?<!^## )\b(D-\d\d+)\b/gm, (whole, id: string) =>
      names.decisions.includes(id) ? `[${id}](decision:${id})` : whole,
    )
    .replaceAll(/^- (Date|The document|We chose|Why): /gm, (_, label: string) => `- **${label}:** `);
  const withPlaces = linked
    .split(/(?=^## )/m)
    .map((section) => {
      const found = places.get(/^## (D-\d+)/.exec(section)?.[1] ?? "");
      return found === undefined ? section : `${section.trimEnd()}\n- **Where:** ${[...found].join(", ")}\n\n`;
    })
    .join("");
  return markdownPage(
    {
      text: withPlaces,
      file: "DECISIONS.md",
      path: "decisions/",
      idOf: (heading) => /^D-\d+/.exec(heading)?.[0].toLowerCase(),
    },
    names,
  );
}

/** The places of the contract that name each decision, as Markdown. */
function placesOfDecisions(contract: Contract): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  const walk = (value: unknown, keys: readonly string[]): void => {
    if (typeof value !== "object" || value === null) return;
    const id = "x-decision" in value ? String(value["x-decision"]) : undefined;
    if (id !== undefined) places.set(id, (places.get(id) ?? new Set()).add(placeAt(keys)));
    for (const [name, member] of Object.entries(value)) walk(member, [...keys, name]);
  };
  walk(contract, []);
  return places;
}

function placeAt([room, first, second = "", ...members]: readonly string[]): string {
  if (room === "components") return `\`${[second, ...members.filter((name) => name !== "properties")].join(".")}\``;
  const operation = room === "paths" ? operations.find(({ path }) => path === first) : undefined;
  return operation ? `[\`${operation.id}\`](operation:${operation.id})` : "the whole contract";
}
