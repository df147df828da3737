/** Validators of requests as program text, because a page may not make programs of its own. */
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import type { Contract } from "../contract/contract.ts";
import { nodeOf, nodesOf, resolved, textOf } from "../contract/node.ts";

const id = "contract";
const options = { strict: false, allErrors: true, validateFormats: false, code: { source: true, esm: true, lines: true } };

/** The text of two modules, each of which exports a validator for each operation that takes such input. */
export interface Validators {
  bodies: string;
  queries: string;
}

/** Compiles the schemas of all request bodies and of all query parameters. Texts of a query are read as what the schema wants. */
export function requestValidators(contract: Contract): Validators {
  const bodies = new Ajv2020(options);
  const queries = new Ajv2020({ ...options, coerceTypes: true });
  for (const ajv of [bodies, queries]) ajv.addSchema({ ...contract, $id: id });
  const names = { bodies: {} as Record<string, string>, queries: {} as Record<string, string> };
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const [method, value] of Object.entries(item)) {
      const operation = nodeOf(value);
      const operationId = textOf(operation["operationId"]);
      if (operation["requestBody"] !== undefined) {
        const at = ["paths", path, method, "requestBody", "content", "application/json", "schema"].map(escaped).join("/");
        names.bodies[operationId] = operationId;
        bodies.addSchema({ $id: operationId, $ref: `${id}#/${at}` });
      }
      const parameters = nodesOf(operation["parameters"]).map((parameter) => resolved(contract, parameter));
      if (parameters.length > 0) {
        names.queries[operationId] = operationId;
        queries.addSchema({
          $id: operationId,
          type: "object",
          required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
          properties: Object.fromEntries(parameters.map(({ name, schema }) => [textOf(name), within(schema)])),
        });
      }
    }
  }
  return { bodies: textIn(bodies, names.bodies), queries: textIn(queries, names.queries) };
}

/** A schema of the contract as another document refers to what it refers to. */
function within(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"${id}#`));
}

function textIn(ajv: Ajv2020, names: Record<string, string>): string {
  return standalone.default(ajv, names);
}

function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
