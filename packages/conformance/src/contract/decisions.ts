/** The decisions of the contract, as the contract publishes them. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** One decision. */
export interface Decision {
  readonly title: string;
  /** What was chosen, as it stands in the list of decisions. */
  readonly chosen: string;
}

const text = readFileSync(fileURLToPath(import.meta.resolve("@chain-query/openapi/DECISIONS.md")), "utf8");

/** The decisions by number, such as `D-14`. */
export const decisions: ReadonlyMap<string, Decision> = new Map(
  [...text.matchAll(/^## (D-\d+) (.+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)].map(([, number = "", title = "", section = ""]) => [
    number,
    { title: title.replaceAll("`", ""), chosen: /^- We chose: (.*)$/m.exec(section)?.[1] ?? "" },
  ]),
);

/** A law with its title, where it is a decision: `D-14 Paging`. */
export function named(law: string): string {
  const decision = decisions.get(law);
  return decision === undefined ? law : `${law} ${decision.title}`;
}
