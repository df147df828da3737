/** The decisions of the contract, read from its DECISIONS.md. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** One decision. */
export interface Decision {
  readonly title: string;
  /** The text after "We chose". */
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

/** A law, with the title if it is a decision: `D-14 Paging`. */
export function named(law: string): string {
  const decision = decisions.get(law);
  return decision === undefined ? law : `${law} ${decision.title}`;
}
