/** What operations take, as the contract says it. */
import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };
import { has, isObject, valueAt } from "../json.ts";
import { type Check, checkAt, resolved } from "./answer-schemas.ts";

/** One parameter of a query. */
export interface QueryParameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
  readonly check: Check;
}

interface Inputs {
  readonly parameters: readonly QueryParameter[];
  readonly bodySchema: unknown;
  readonly checkBody: Check | undefined;
}

const inputs = new Map<string, Inputs>(
  Object.entries(bundle.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]: [string, unknown]): [string, Inputs][] => {
      if (!has(operation, "operationId")) return [];
      const place = ["paths", path, method];
      const toBody = ["requestBody", "content", "application/json", "schema"];
      const bodySchema = valueAt(operation, toBody);
      const checkBody = bodySchema === undefined ? undefined : checkAt([...place, ...toBody]);
      return [[String(operation["operationId"]), { parameters: parametersIn(operation), bodySchema, checkBody }]];
    }),
  ),
);

/** The schema of the body that an operation takes. */
export function requestSchemaOf(operation: string): unknown {
  return inputs.get(operation)?.bodySchema;
}

/** The parameters that an operation takes. */
export function parametersOf(operation: string): readonly QueryParameter[] {
  return inputs.get(operation)?.parameters ?? [];
}

/** Whether there is anything to say to an operation. */
export function acceptsInput(operation: string): boolean {
  return requestSchemaOf(operation) !== undefined || parametersOf(operation).length > 0;
}

/** Whether the schemas of an operation allow an input; what only decisions say of it is not asked. */
export function allowsInput(operation: string, input: unknown): boolean {
  const { parameters = [], checkBody } = inputs.get(operation) ?? {};
  if (checkBody !== undefined) return checkBody(input).length === 0;
  if (!isObject(input)) return parameters.every(({ required }) => !required);
  return parameters.every(({ name, required, schema, check }) =>
    Object.hasOwn(input, name) ? check(meant(String(input[name]), schema)).length === 0 : !required,
  );
}

/** A query is text; what it means depends on what is asked for. */
function meant(text: string, schema: unknown): unknown {
  const type = valueAt(schema, ["type"]);
  if (type === "integer" && /^-?\d+$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function parametersIn(operation: unknown): QueryParameter[] {
  const parameters = valueAt(operation, ["parameters"]);
  return (Array.isArray(parameters) ? parameters : []).flatMap((reference: unknown) => {
    const parameter = resolved(reference);
    if (!isObject(parameter)) return [];
    const name = String(parameter["name"]);
    const check = checkAt(["components", "parameters", name, "schema"]);
    return [{ name, required: parameter["required"] === true, schema: parameter["schema"], check }];
  });
}
