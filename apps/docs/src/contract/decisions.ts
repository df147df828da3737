/** DECISIONS.md of the contract's package. */
import { readFileSync } from "node:fs";

/** The choice of each decision in words, by ids such as `D-07`. */
export type Choices = ReadonlyMap<string, string>;

/** The text of the file. */
export function readDecisions(): string {
  return readFileSync(new URL(import.meta.resolve("@chain-query/openapi/DECISIONS.md")), "utf8");
}

/** The ids of the decisions, in their order. */
export function decisionIds(markdown: string): string[] {
  return [...markdown.matchAll(/^## (D-\d+)\b/gm)].map(([, id = ""]) => id);
}

/** Parses the choices. */
export function readChoices(markdown: string): Choices {
  const sections = markdown.split(/^## (?=D-\d)/m).slice(1);
  return new Map(
    sections.map((section) => {
      const id = /^D-\d+/.exec(section)?.[0] ?? "";
      const choice = /^- We chose: (.+)$/m.exec(section)?.[1];
      if (choice === undefined) throw new Error(`DECISIONS.md, ${id}: expected a line that begins with "- We chose: "`);
      return [id, choice] as const;
    }),
  );
}
