/** Validators of requests as program text, because the policy of a page forbids programs that are made at run time. */
import { operations } from "@chain-query/openapi/operations";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";

const options = { strict: false, allErrors: true, validateFormats: false, code: { source: true, esm: true, lines: true } };

/** The text of two modules, each of which exports a validator for each operation with such input. */
export interface Validators {
  bodies: string;
  queries: string;
}

/** Compiles the schemas of all request bodies and queries. A query's texts are coerced to the type of the schema. */
export function requestValidators(): Validators {
  return {
    bodies: textIn(new Ajv2020(options), "POST"),
    queries: textIn(new Ajv2020({ ...options, coerceTypes: true }), "GET"),
  };
}

function textIn(ajv: Ajv2020, method: string): string {
  const checked = operations.filter((operation) => operation.method === method);
  for (const { id, request } of checked) ajv.addSchema({ ...request, $id: id });
  return standalone.default(ajv, Object.fromEntries(checked.map(({ id }) => [id, id])));
}
