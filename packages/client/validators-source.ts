/** Compiles the schemas of answers, and what they refer to, into TypeScript that calls one rule for each keyword. */
import { type Json, list, object, operationsOf, resolve } from "./contract-json.ts";
import { rules } from "./src/validate/rules.ts";

/** Keywords that a value cannot break. */
const annotations = [
  "title",
  "description",
  "default",
  "example",
  "examples",
  "deprecated",
  "readOnly",
  "format",
  "contentEncoding",
  "contentMediaType",
];

/** The source of answers.gen.ts for any bundle. Throws where a schema has a keyword without a rule: an unchecked one would lie. */
export function validatorsSource(bundle: unknown): string {
  const root = object(bundle);
  const schemas = object(object(root["components"] ?? {})["schemas"] ?? {});
  const written = new Map<string, string>();
  const begun = new Set<string>();

  /** The constant of a named schema. Those that it refers to are written before it. */
  function named(reference: string): string {
    const name = reference.split("/").at(-1) ?? "";
    const constant = `$${name.replaceAll(/[^\w]/g, "_")}`;
    if (begun.has(name)) return written.has(name) ? constant : `(value) => ${constant}(value)`;
    begun.add(name);
    written.set(name, `const ${constant}: Rule = ${compiled(schemas[name], name)};`);
    return constant;
  }

  function compiled(value: unknown, where: string): string {
    const { $ref, discriminator, ...schema } = object(value);
    const parts: string[] = typeof $ref === "string" ? [named($ref)] : [];
    if (discriminator !== undefined) {
      const tag = String(object(discriminator)["propertyName"]);
      const branches = list(schema["oneOf"]).map((branch, index) => {
        const properties = object(resolve(root, branch)["properties"]);
        return `${JSON.stringify(object(properties[tag])["const"])}: ${compiled(branch, `${where}.oneOf[${index}]`)}`;
      });
      parts.push(`rules.discriminator(${JSON.stringify(tag)}, { ${branches.join(", ")} })`);
      delete schema["oneOf"];
    }
    const { required, properties, ...keywords } = schema;
    const unknown = Object.keys(keywords).find(
      (name) => !(name in rules || name.startsWith("x-") || annotations.includes(name)),
    );
    if (unknown !== undefined)
      throw new Error(`${where}: no rule for ${unknown}; src/validate/rules.ts would have to have one`);
    for (const keyword of Object.keys(rules)) {
      if (keyword === "properties" && (required ?? properties) !== undefined) {
        const members = Object.entries(object(properties ?? {})).map(
          ([name, member]) => `${JSON.stringify(name)}: ${compiled(member, `${where}.${name}`)}`,
        );
        const names = list(required).map((name) => `, ${JSON.stringify(name)}`);
        parts.push(`rules.properties({ ${members.join(", ")} }${names.join("")})`);
      } else if (keyword in keywords) {
        parts.push(`rules.${keyword}(${argumentsOf(keyword, keywords[keyword], where)})`);
      }
    }
    return parts.length === 1 ? String(parts[0]) : `all(${parts.join(", ")})`;
  }

  function argumentsOf(keyword: string, given: unknown, where: string): string {
    if (keyword === "pattern") return String(new RegExp(String(given), "u"));
    if (keyword === "items") return compiled(given, `${where}[]`);
    if (keyword.endsWith("Of"))
      return list(given)
        .map((each, index) => compiled(each, `${where}.${keyword}[${index}]`))
        .join(", ");
    const values = keyword === "const" ? [given] : [given].flat();
    if (values.some((value) => typeof value === "object" && value !== null)) {
      throw new Error(`${where}: ${keyword} with an object or a list has no rule`);
    }
    return values.map((value) => JSON.stringify(value)).join(", ");
  }

  const entries = operationsOf(root).map(({ id, operation }) => {
    const { success, failure } = answersOf(root, operation);
    return `  ${id}: { success: ${compiled(success, id)}, failure: ${compiled(failure, id)} },`;
  });
  return `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */
import { all, type Rule, rules } from "./rules.ts";

${[...written.values()].join("\n")}

/** What each operation may answer. */
export const answers: Record<string, { success: Rule; failure: Rule }> = {
${entries.join("\n")}
};
`;
}

/** The schemas of all successes and of all failures, each schema once. */
function answersOf(root: Json, operation: Json): { success: Json; failure: Json } {
  const successes = new Map<string, unknown>();
  const failures = new Map<string, unknown>();
  for (const [status, response] of Object.entries(object(operation["responses"]))) {
    const { schema } = object(object(resolve(root, response)["content"])["application/json"]);
    (status.startsWith("2") ? successes : failures).set(JSON.stringify(schema), schema);
  }
  const anyOf = (schemas: Map<string, unknown>): Json =>
    schemas.size === 1 ? object([...schemas.values()][0]) : { anyOf: [...schemas.values()] };
  return { success: anyOf(successes), failure: anyOf(failures) };
}
