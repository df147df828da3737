/** Reads the operations and the metadata of the contract from the dereferenced bundle. */
import type { Info, Input, Operation, Response, Schema } from "../src/operation.ts";
import { type Json, listAt, objectAt } from "./dereference.ts";
import { examplesOf, jsonContent, jsonExamples, statusOf } from "./examples.ts";

const methods = { get: "GET", post: "POST" } as const;

/** Lists all operations, in the order of the document. @throws Error if one has a form that the packages do not support */
export function operationsOf(document: Json): Operation[] {
  // A response that operations share in the bundle stays one object.
  const responses = new Map<unknown, Response>();
  return Object.entries(objectAt(document["paths"], "paths")).flatMap(([path, item]) =>
    Object.entries(objectAt(item, path)).map(([method, value]) => {
      if (method !== "get" && method !== "post") throw new Error(`${path}: expected get or post, got ${method}`);
      const operation = objectAt(value, path);
      const where = `${method} ${path}`;
      const withBody = Object.entries(objectAt(operation["responses"], where)).filter(
        ([, response]) => "content" in objectAt(response, where),
      );
      const documented = withBody.map(([status, response]) => {
        const known = responses.get(response) ?? responseOf(status, objectAt(response, where));
        responses.set(response, known);
        return known.status === status ? known : { ...known, status };
      });
      const success = documented.find(({ status }) => status === "200");
      const result = success?.schema.properties?.["result"];
      if (success === undefined || result === undefined) throw new Error(`${where}: expected a 200 with a result`);
      const request = method === "get" ? querySchema(operation) : bodySchema(operation, where);
      const inputs = inputsOf(operation, request);
      return {
        id: String(operation["operationId"]),
        method: methods[method],
        path,
        tag: String(listAt(operation["tags"])[0]),
        summary: String(operation["summary"]),
        description: String(operation["description"]),
        security: listAt(operation["security"] ?? document["security"]).map((one) => Object.keys(objectAt(one, where))),
        ...inputs,
        request,
        envelope: success.schema,
        result,
        responses: documented,
        examples: examplesOf({ method: methods[method], path, operation }),
        docsUrl: `${docsUrlOf(document)}reference/${operation["operationId"]}/`,
        decisions: decisionsIn(operation),
        ...decisionOf(operation),
      };
    }),
  );
}

function responseOf(status: string, response: Json): Response {
  const { schema } = jsonContent(response);
  const examples = Object.entries(jsonExamples(response)).map(
    ([name, { summary, value }]) => [name, { summary: String(summary), status: statusOf(status, value), value }] as const,
  );
  return {
    status,
    description: String(response["description"]),
    headers: objectAt(response["headers"] ?? {}, "headers") as Response["headers"],
    schema: objectAt(schema, "schema") as Schema,
    examples: Object.fromEntries(examples),
  };
}

/** The parameters of the query. Headers are no inputs: callers do without them. */
function parametersOf(operation: Json): Json[] {
  const where = String(operation["operationId"]);
  const parameters = listAt(operation["parameters"]).map((parameter) => objectAt(parameter, where));
  const odd = parameters.find((parameter) => parameter["in"] !== "query" && parameter["in"] !== "header");
  if (odd !== undefined) throw new Error(`${where}: expected only parameters of the query, and headers, got ${odd["in"]}`);
  return parameters.filter((parameter) => parameter["in"] === "query");
}

function querySchema(operation: Json): Schema {
  if (operation["requestBody"] !== undefined) throw new Error(`${operation["operationId"]}: a GET has no body`);
  const parameters = parametersOf(operation);
  return {
    type: "object",
    required: parameters.filter(({ required }) => required === true).map(({ name }) => String(name)),
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [String(name), schema as Schema])),
  };
}

function bodySchema(operation: Json, where: string): Schema {
  if (parametersOf(operation).length > 0) throw new Error(`${where}: a POST has no parameters of the query`);
  const { schema } = jsonContent(objectAt(operation["requestBody"], where));
  return objectAt(schema, where) as Schema;
}

/** The inputs of a schema, which is an object of scalars, or a `oneOf` of such objects that differ in one required member. */
function inputsOf(operation: Json, request: Schema): Pick<Operation, "inputs" | "oneOf" | "together"> {
  const where = String(operation["operationId"]);
  const parameterOf = new Map(parametersOf(operation).map((parameter) => [parameter["name"], parameter]));
  const shapes = request.oneOf ?? [request];
  const properties = new Map<string, Schema>();
  for (const shape of shapes) {
    if (shape.type !== "object") throw new Error(`${where}: expected an object of inputs, or a oneOf of such objects`);
    for (const [name, schema] of Object.entries(shape.properties ?? {})) properties.set(name, withoutAlternatives(schema));
  }
  const isRequired = (name: string): boolean => shapes.every(({ required = [] }) => required.includes(name));
  const inputs = [...properties].map(([name, schema]): Input => {
    const range = rangeOf(schema);
    const types = [schema.type].flat();
    const simple = range !== undefined ? "integer" : types.includes("boolean") ? "boolean" : "string";
    const parameter = parameterOf.get(name);
    return {
      name,
      in: operation["requestBody"] === undefined ? "query" : "body",
      required: isRequired(name),
      description: String(parameter?.["description"] ?? schema.description ?? ""),
      schema,
      kind: schema["x-kind"] ?? simple,
      ...(range === undefined ? {} : { range }),
      ...decisionOf(parameter),
    };
  });
  const oneOf = shapes.flatMap(({ required = [] }) => required.filter((name) => !isRequired(name)));
  if (oneOf.length !== (shapes.length === 1 ? 0 : shapes.length)) {
    throw new Error(`${where}: expected alternatives that differ in one required member each`);
  }
  return { inputs, oneOf, together: listAt(operation["x-together"]).map(String) };
}

/**
 * A scalar of two types as one schema: the keywords of each type apply to no value of the other. The contract has them apart, because
 * generators of code cannot all read a list of types.
 */
function withoutAlternatives(schema: Schema): Schema {
  const { oneOf, ...rest } = schema;
  if (oneOf === undefined) return schema;
  return { ...Object.assign({}, ...oneOf), ...rest, type: oneOf.flatMap(({ type = [] }) => type) };
}

/** The bounds of an integer, or of a decimal string. @throws Error if it has none */
export function rangeOf(schema: Schema): Input["range"] {
  const { type, format, minimum, maximum, "x-minimum": least = minimum, "x-maximum": most = maximum } = schema;
  if (least !== undefined && most !== undefined) return { least: BigInt(least), most: BigInt(most) };
  if (format === "int64" || [type].flat().includes("integer")) throw new Error("an integer of a request needs two bounds");
  return undefined;
}

function decisionOf(place: Json | undefined): { decision?: string } {
  const id = place?.["x-decision"];
  return id === undefined ? {} : { decision: String(id) };
}

/** Title, version, texts and URL of the contract. */
export function infoOf(document: Json): Info {
  const { title, version, summary, description } = objectAt(document["info"], "info");
  const { url, variables } = objectAt(listAt(document["servers"])[0], "servers");
  const defaults = objectAt(variables ?? {}, "variables");
  const baseUrl = String(url).replace(/\{([^}]+)\}/g, (_, name: string) => String(objectAt(defaults[name], name)["default"]));
  return {
    title: String(title),
    version: String(version),
    summary: String(summary),
    description: String(description),
    baseUrl,
    docsUrl: docsUrlOf(document),
  };
}

function docsUrlOf(document: Json): string {
  return String(objectAt(document["externalDocs"], "externalDocs")["url"]);
}

function decisionsIn(value: unknown, found: Set<string> = new Set()): string[] {
  if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (name === "x-decision") found.add(String(member));
      else decisionsIn(member, found);
    }
  }
  return [...found].sort();
}
