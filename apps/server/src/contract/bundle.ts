/** The eight operations as the bundle describes them. Nothing here knows what any of them does. */
import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };
import type { OperationId } from "@chain-query/types";

/** A part of a JSON document whose members are not known. */
export interface JsonObject {
  readonly [member: string]: unknown;
}

/** One operation: where it is, what it takes and what it gives. */
export interface Operation<Id extends OperationId = OperationId> {
  readonly id: Id;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Schema of the body of a POST, and of all parameters of the query of a GET as one object. */
  readonly input: JsonObject;
  /** Schema of the `result` of a success. */
  readonly result: JsonObject;
}

/** Everything that `$ref`s of the schemas lead to, as a document of the name {@link documentName}. */
export const components: JsonObject = { components: bundle.components };

/** The name by which the schemas here refer to {@link components}. */
export const documentName = "contract";

/** The document as it is published. */
export const contractText: string = JSON.stringify(bundle);

/** All operations, in the order of the contract. */
export const operations: readonly Operation[] = Object.entries(bundle.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, description]) => operationIn(path, method, objectAt(description))),
);

/** Follows a reference to where the thing itself stands. */
export function resolved(value: unknown): JsonObject {
  const object = objectAt(value);
  const reference = object["$ref"];
  if (typeof reference !== "string") return object;
  const keys = reference.slice(reference.indexOf("#") + 2).split("/");
  return resolved(keys.reduce<unknown>((part, key) => objectAt(part)[unescaped(key)], bundle));
}

function operationIn(path: string, method: string, description: JsonObject): Operation {
  const envelope = resolved(contentOf(objectAt(description["responses"])["200"]));
  const result = absolute(objectAt(envelope["properties"])["result"]);
  const id = description["operationId"];
  if (!isOperationId(id)) throw new TypeError(`the contract's operation ${method} ${path} has no operationId`);
  const input = method === "get" ? querySchema(description["parameters"]) : absolute(contentOf(description["requestBody"]));
  return { id, method: method === "get" ? "GET" : "POST", path, input, result };
}

// The types are generated from the same bundle, so that any operationId in it is one of theirs.
function isOperationId(id: unknown): id is OperationId {
  return typeof id === "string";
}

/** The parameters of a query as an object of them; what else a query holds is nobody's business. */
function querySchema(parameters: unknown): JsonObject {
  const all = (Array.isArray(parameters) ? parameters : []).map(resolved);
  return {
    type: "object",
    required: all.filter(({ required }) => required === true).map(({ name }) => name),
    properties: Object.fromEntries(all.map(({ name, schema }) => [name, absolute(schema)])),
  };
}

function contentOf(holder: unknown): unknown {
  return objectAt(objectAt(resolved(holder)["content"])["application/json"])["schema"];
}

/** The same schema with references that lead to {@link documentName} from anywhere. */
function absolute(schema: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" && value.startsWith("#") ? documentName + value : value,
  );
  return objectAt(copy);
}

function objectAt(value: unknown): JsonObject {
  if (typeof value === "object" && value !== null) return value as JsonObject;
  throw new TypeError(`the contract has ${JSON.stringify(value)} where an object is expected`);
}

function unescaped(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}
