/** Compiles the operations of the contract into the table that the client reads at run time. */
import type { Input, Operation, Schema } from "@chain-query/openapi/operations";
import type { Kind } from "../src/operations/int64.ts";

type Described = Pick<Operation, "method" | "path" | "inputs" | "oneOf"> & { readonly id: string };

/** The source of operations.gen.ts. */
export function operationTable(operations: readonly Described[], schemas: readonly Schema[]): string {
  const entries = operations.map((operation) => `  ${operation.id}: ${JSON.stringify(entryOf(operation))},`);
  return `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */

/** Method, inputs and their checks of each operation, and how many inputs are required: the first; the path, unless it is /api/v2/ and the operation. */
export const operations = {
${entries.join("\n")}
} as const;

/** Members of responses that hold a decimal string: logical times, shards and amounts. */
export const bigintMembers = ${JSON.stringify(bigintMembers(schemas))} as const;
`;
}

function entryOf({ id, method, path, inputs, oneOf }: Described): object {
  const camel = (name: string): string => camelCase(`${id}: ${name}`, name);
  const required = inputs.filter((input) => input.required);
  const optional = inputs.filter((input) => !input.required);
  return {
    method: method.toUpperCase(),
    ...(path === `/api/v2/${id}` ? {} : { path }),
    members: Object.fromEntries(
      [...required, ...optional].map((input) => [camel(input.name), kindOf(`${id}: ${input.name}`, input)]),
    ),
    ...(required.length > 0 ? { required: required.length } : {}),
    ...(oneOf.length > 0 ? { oneOf: oneOf.map(camel) } : {}),
  };
}

/** A name in TypeScript, from which the client has to find the name on the wire again. */
export function camelCase(where: string, name: string): string {
  const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const wire = camel.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  if (wire !== name) throw new Error(`${where} would be sent as ${wire}`);
  return camel;
}

/** How the client checks and writes an input. Only an integer that fits a JSON number is sent as one. */
export function kindOf(where: string, { schema, range }: Pick<Input, "schema" | "range">): Kind {
  const types = [schema.type].flat();
  const simple = types.every((type) => type === "string" || type === "integer" || type === "boolean");
  if (!simple) throw new Error(`${where}: the client takes strings, integers and booleans only`);
  if (range === undefined) return types.includes("boolean") ? "boolean" : "string";
  const { least, most } = range;
  if (most <= Number.MAX_SAFE_INTEGER) {
    return [types.includes("integer") ? "number" : "decimal", Number(least), Number(most)];
  }
  return least < Number.MIN_SAFE_INTEGER ? ["decimal"] : ["decimal", Number(least)];
}

/** Every member of the contract's objects whose schema is an integer that does not fit a JSON number. */
function bigintMembers(schemas: readonly Schema[]): string[] {
  // Bodies of requests are closed objects, responses are open.
  const open = schemas.filter(({ additionalProperties }) => additionalProperties !== false);
  const members = open.flatMap(({ properties = {} }) => Object.entries(properties));
  const decimal = members.filter(([, schema]) => schema["x-minimum"] !== undefined);
  return [...new Set(decimal.map(([name]) => name))].sort();
}
