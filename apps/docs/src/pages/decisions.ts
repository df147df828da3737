/** Makes the page with the decisions of the contract. */
import { readFileSync } from "node:fs";
import { type DecisionPlace, decisions } from "@chain-query/openapi/operations";
import type { LinkNames } from "../markdown/links.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

/** Makes the page. Each decision lists the places of the contract that name it. */
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
