/** Compiles the schemas of responses into TypeScript that calls one rule for each keyword. */
import type { Response, Schema } from "@chain-query/openapi/operations";
import { rules } from "../src/validate/rules.ts";

type Json = Readonly<Record<string, unknown>>;

/** Keywords that a value cannot break. */
const annotations = [
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "format",
  "contentEncoding",
  "contentMediaType",
  "x-decision",
  "x-extensible-enum",
  "x-kind",
  "x-minimum",
  "x-maximum",
];

/** An operation, as far as its responses are concerned. */
interface Responding {
  readonly id: string;
  readonly responses: readonly Pick<Response, "status" | "schema">[];
}

/** The source of responses.gen.ts. @throws Error if a schema has a keyword without a rule, which would go unchecked */
export function responseRules(operations: readonly Responding[]): string {
  const constants = new Map<string, string>();

  /** The rule of a schema; that of a schema with a name is a constant, written after those that it uses. */
  function compiled(schema: Schema, where: string): string {
    const { title } = schema;
    if (title === undefined) return ruleOf(schema, where);
    const constant = `$${title.replaceAll(/[^\w]/g, "_")}`;
    if (!constants.has(constant)) constants.set(constant, `const ${constant}: Rule = ${ruleOf(schema, title)};`);
    return constant;
  }

  function ruleOf({ discriminator, ...schema }: Schema, where: string): string {
    const parts: string[] = [];
    if (discriminator !== undefined) {
      const tag = discriminator.propertyName;
      const branches = (schema.oneOf ?? []).map((branch, index) => {
        const value = JSON.stringify(branch.properties?.[tag]?.const);
        return `${value}: ${compiled(branch, `${where}.oneOf[${index}]`)}`;
      });
      parts.push(`rules.discriminator(${JSON.stringify(tag)}, { ${branches.join(", ")} })`);
    }
    const { required, properties, oneOf, additionalProperties, ...closed } = schema;
    // An open object is one without the keyword.
    const others = additionalProperties === false ? { ...closed, additionalProperties } : closed;
    const keywords: Json = discriminator === undefined && oneOf !== undefined ? { ...others, oneOf } : others;
    const unknown = Object.keys(keywords).find((name) => !(name in rules || annotations.includes(name)));
    if (unknown !== undefined) throw new Error(`${where}: no rule for ${unknown}; add one to src/validate/rules.ts`);
    for (const keyword of Object.keys(rules)) {
      // The bundle repeats a const as an enum.
      if (keyword === "enum" && "const" in keywords) continue;
      if (keyword === "properties" && (required ?? properties) !== undefined) {
        const members = Object.entries(properties ?? {}).map(
          ([name, member]) => `${JSON.stringify(name)}: ${compiled(member, `${where}.${name}`)}`,
        );
        const names = (required ?? []).map((name) => `, ${JSON.stringify(name)}`);
        parts.push(`rules.properties({ ${members.join(", ")} }${names.join("")})`);
      } else if (keyword in keywords) {
        parts.push(`rules.${keyword}(${argumentsOf(keyword, keywords[keyword], where)})`);
      }
    }
    return parts.length === 1 ? String(parts[0]) : `all(${parts.join(", ")})`;
  }

  function argumentsOf(keyword: string, given: unknown, where: string): string {
    if (keyword === "pattern") return String(new RegExp(String(given), "u"));
    if (keyword === "items") return compiled(given as Schema, `${where}[]`);
    if (keyword.endsWith("Of")) {
      return (given as Schema[]).map((each, index) => compiled(each, `${where}.${keyword}[${index}]`)).join(", ");
    }
    const values = keyword === "const" ? [given] : [given].flat();
    if (values.some((value) => typeof value === "object" && value !== null)) {
      throw new Error(`${where}: ${keyword} with an object or a list has no rule`);
    }
    return values.map((value) => JSON.stringify(value)).join(", ");
  }

  /** Any of the schemas of the responses with these statuses. */
  function oneOfResponses(responses: Responding["responses"], where: string): string {
    const choices = [...new Set(responses.map(({ schema }) => compiled(schema, where)))];
    return choices.length === 1 ? String(choices[0]) : `rules.anyOf(${choices.join(", ")})`;
  }

  const entries = operations.map(({ id, responses }) => {
    const isSuccess = ({ status }: { status: string }): boolean => status.startsWith("2");
    const success = oneOfResponses(responses.filter(isSuccess), id);
    const failure = oneOfResponses(
      responses.filter((response) => !isSuccess(response)),
      id,
    );
    return `  ${id}: { success: ${success}, failure: ${failure} },`;
  });
  return `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */
import { all, type Rule, rules } from "./rules.ts";

${[...constants.values()].join("\n")}

/** The responses of each operation. */
export const responses: Record<string, { success: Rule; failure: Rule }> = {
${entries.join("\n")}
};
`;
}
