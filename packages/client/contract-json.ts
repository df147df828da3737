/** How the generators read the bundle: it is looked at, never trusted. */

export interface Json {
  [member: string]: unknown;
}

export interface ContractOperation {
  id: string;
  method: string;
  path: string;
  operation: Json;
}

/** Every operation, in the order of the document. */
export function operationsOf(root: Json): ContractOperation[] {
  return Object.entries(object(root["paths"])).flatMap(([path, item]) =>
    Object.entries(object(item))
      .filter(([method]) => method === "get" || method === "post")
      .map(([method, operation]) => ({
        id: String(object(operation)["operationId"]),
        method,
        path,
        operation: object(operation),
      })),
  );
}

/** What a value says, or what its reference leads to. */
export function resolve(root: Json, value: unknown): Json {
  const reference = object(value)["$ref"];
  if (typeof reference !== "string") return object(value);
  const target = reference
    .slice(2)
    .split("/")
    .reduce<unknown>((node, key) => object(node)[key.replaceAll("~1", "/").replaceAll("~0", "~")], root);
  return resolve(root, target);
}

export function object(value: unknown): Json {
  if (typeof value !== "object" || value === null) throw new Error("the bundle lacks an object where one is expected");
  return value as Json;
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
