/** Reads a bundle and writes down, as TypeScript, what the client has to know about each operation at run time. */
import { type Json, list, object, operationsOf, resolve } from "./contract-json.ts";

/** How an input is checked and written; see src/input.ts. */
type Kind = "string" | "boolean" | "integer" | "int64" | "natural";

interface Operation {
  method: string;
  path: string;
  /** By their names in TypeScript. */
  members: Record<string, Kind>;
  required: string[] | undefined;
  oneOf: string[] | undefined;
}

/** The source of operations.gen.ts for any bundle. */
export function operationsSource(bundle: unknown): string {
  const root = object(bundle);
  for (const [path, item] of Object.entries(object(root["paths"]))) {
    const unknown = Object.keys(object(item)).find((name) => !/^(get|post|summary|description|x-.*)$/.test(name));
    if (unknown !== undefined) throw new Error(`${path}: the client does not know ${unknown} of a path`);
  }
  const operations = operationsOf(root).map(
    ({ id, method, path, operation }) => [id, describe(root, method, path, operation)] as const,
  );
  const entries = operations.map(([id, operation]) => `  ${id}: ${JSON.stringify(operation)},`);
  return `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */

/** What the client knows of each operation: where it is, what it takes, and how each input is checked. */
export const operations = {
${entries.join("\n")}
} as const;

/** Members of answers that hold a 64-bit integer as a decimal string. */
export const int64Members = ${JSON.stringify(int64Members(root))} as const;
`;
}

function describe(root: Json, method: string, path: string, operation: Json): Operation {
  const at = `${method} ${path}`;
  const members: Record<string, Kind> = {};
  const required: string[] = [];
  const alternatives: string[][] = [];
  for (const each of list(operation["parameters"])) {
    const parameter = resolve(root, each);
    if (parameter["in"] !== "query") throw new Error(`${at}: the client sends no parameter in ${parameter["in"]}`);
    if (method !== "get") throw new Error(`${at}: the client sends no query with a POST`);
    const name = camelCase(at, String(parameter["name"]));
    members[name] = kindOf(`${at}: ${name}`, resolve(root, parameter["schema"]));
    if (parameter["required"] === true) required.push(name);
  }
  if (operation["requestBody"] !== undefined) {
    if (method !== "post") throw new Error(`${at}: the client sends no body with a GET`);
    const content = object(resolve(root, operation["requestBody"])["content"]);
    const schema = resolve(root, object(content["application/json"])["schema"]);
    const shapes = schema["oneOf"] === undefined ? [schema] : list(schema["oneOf"]).map((shape) => resolve(root, shape));
    for (const shape of shapes) {
      if (shape["type"] !== "object" || composed(shape)) throw new Error(`${at}: the client sends no body but a plain object`);
      const properties = Object.entries(object(shape["properties"] ?? {}));
      for (const [name, property] of properties) {
        members[camelCase(at, name)] = kindOf(`${at}: ${name}`, resolve(root, property));
      }
      alternatives.push(list(shape["required"]).map((name) => camelCase(at, String(name))));
    }
  }
  const everywhere = (name: string) => alternatives.every((names) => names.includes(name));
  required.push(...(alternatives[0] ?? []).filter(everywhere));
  const oneOf = alternatives.flatMap((names) => names.filter((name) => !everywhere(name)));
  const unlessEmpty = (names: string[]) => (names.length > 0 ? names : undefined);
  return { method, path, members, required: unlessEmpty(required), oneOf: unlessEmpty(oneOf) };
}

/** A name in TypeScript, from which the client has to find the name on the wire again. */
function camelCase(at: string, name: string): string {
  const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const wire = camel.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  if (wire !== name) throw new Error(`${at}: ${name} would be sent as ${wire}`);
  return camel;
}

function composed(schema: Json): boolean {
  return ["allOf", "anyOf", "oneOf", "not"].some((keyword) => keyword in schema);
}

/** A string that may hold nothing but decimal digits is a number that JSON cannot hold. */
function kindOf(at: string, schema: Json): Kind {
  const types = [schema["type"]].flat();
  const unknown = composed(schema) || types.some((type) => !/^(string|integer|boolean)$/.test(String(type)));
  if (unknown) throw new Error(`${at}: the client takes strings, integers and booleans only`);
  const pattern = String(schema["pattern"] ?? "");
  const decimal = types.includes("string") && /^\^[(0|?[\]19{},\d)-]*\$$/.test(pattern);
  const wide = !types.includes("integer") || schema["maximum"] === undefined;
  if (decimal && wide) return pattern.includes("-?") ? "int64" : "natural";
  if (types.includes("integer")) return "integer";
  return types.includes("boolean") ? "boolean" : "string";
}

/** Every member of the contract's objects whose schema is one of the contract's two 64-bit atoms. */
function int64Members(root: Json): string[] {
  const names = new Set<string>();
  for (const schema of Object.values(object(object(root["components"])["schemas"]))) {
    for (const [name, property] of Object.entries(object(object(schema)["properties"] ?? {}))) {
      if (/\/(LogicalTime|ShardId)$/.test(String(object(property)["$ref"]))) names.add(name);
    }
  }
  return [...names].sort();
}
