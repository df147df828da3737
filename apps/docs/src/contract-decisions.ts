/** The contract's decisions, told at the places that they concern. */
import type { Contract } from "./contract.ts";

/** Every decision's choice in words, by its number such as `D-07`. */
export type Choices = ReadonlyMap<string, string>;

/** Reads the choices from the file of decisions. */
export function readChoices(markdown: string): Choices {
  const sections = markdown.split(/^## (?=D-\d)/m).slice(1);
  return new Map(
    sections.map((section) => {
      const number = /^D-\d+/.exec(section)?.[0] ?? "";
      const choice = /^- We chose: (.+)$/m.exec(section)?.[1];
      if (choice === undefined) throw new Error(`DECISIONS.md, ${number}: there is no line that begins with "- We chose: "`);
      return [number, choice] as const;
    }),
  );
}

interface Node {
  [member: string]: unknown;
}

/**
 * Writes out each `x-decision` in the description beside it, with a link to the decision. What only refers to a schema keeps that
 * schema's description and has the decision behind it.
 */
export function withDecisions(contract: Contract, choices: Choices, page: string): Contract {
  const told = (number: string): string => {
    const choice = choices.get(number);
    if (choice === undefined) throw new Error(`the contract names ${number}, which DECISIONS.md does not have`);
    return `> The document is silent here; we chose: ${choice} [${number}](${page}#${number.toLowerCase()})`;
  };
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten);
    if (!isNode(value)) return value;
    const { "x-decision": number, ...members } = value;
    const node = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, rewritten(member)]));
    if (typeof number !== "string") return node;
    return { ...node, description: `${described(contract, value)}\n\n${told(number)}`.trim() };
  };
  // What stands at the root concerns the contract as a whole, as what stands in its info does.
  const { "x-decision": ofRoot, ...rest } = contract as Contract & { "x-decision"?: string };
  const { info, ...others } = rewritten(rest) as Contract;
  if (ofRoot === undefined) return { info, ...others };
  return { ...others, info: { ...info, description: `${info.description}\n\n${told(ofRoot)}` } };
}

function described(root: unknown, node: Node): string {
  const { description, $ref: reference } = node;
  if (typeof description === "string") return description;
  if (typeof reference !== "string") return "";
  const target = reference
    .slice(2)
    .split("/")
    .reduce<unknown>((at, name) => (isNode(at) ? at[name] : undefined), root);
  return isNode(target) ? described(root, target) : "";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
