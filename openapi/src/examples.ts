/**
 * The contract's examples as data. A request and an answer belong together where they have the same condition: the name of the
 * request body's example, of the parameters' examples and of the response's example.
 */

/** One request that the contract documents, and the answer that it leads to. */
export interface DocumentedExample {
  operationId: string;
  /** What makes this case special, such as `uninitialized` or `last-page`. */
  condition: string;
  /** What the case is, in a few words. */
  summary: string;
  request: {
    method: string;
    path: string;
    query: Record<string, string | number | boolean>;
    headers: Record<string, string>;
    body?: unknown;
  };
  response: { status: number; body: unknown };
}

/** Anything of the bundle; it is looked at, never trusted. */
interface Json {
  [member: string]: unknown;
}

const methods = ["get", "post"];

/** Lists every documented pair of request and answer, in the order of the document. */
export function documentedExamples(document: unknown): DocumentedExample[] {
  const root = asObject(document, "the document");
  return Object.entries(asObject(root["paths"], "paths")).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = asObject(item, path)[method];
      return operation === undefined ? [] : examplesOf(root, method, path, asObject(operation, path));
    }),
  );
}

function examplesOf(root: Json, method: string, path: string, operation: Json): DocumentedExample[] {
  const operationId = String(operation["operationId"]);
  const parameters = list(operation["parameters"]).map((parameter) => resolve(root, parameter));
  const bodies = examplesIn(root, operation["requestBody"]);
  return answersOf(root, operation).flatMap(({ condition, status, example }) => {
    const query: DocumentedExample["request"]["query"] = {};
    for (const parameter of parameters) {
      const named = asObject(parameter["examples"] ?? {}, operationId)[condition];
      if (named !== undefined) query[String(parameter["name"])] = scalar(resolve(root, named)["value"]);
    }
    const body = bodies[condition];
    const takesInput = operation["requestBody"] !== undefined || parameters.length > 0;
    const asked = body !== undefined || Object.keys(query).length > 0;
    if (!asked && (takesInput || status >= 300)) return [];
    const headers = Object.entries(asObject(body?.["x-headers"] ?? {}, operationId));
    return [
      {
        operationId,
        condition,
        summary: String(example["summary"]),
        request: {
          method: method.toUpperCase(),
          path,
          query,
          headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
          ...(body === undefined ? {} : { body: body["value"] }),
        },
        response: { status, body: example["value"] },
      },
    ];
  });
}

/** Every example of every response; the status of `default` is the one that the failure itself tells. */
function answersOf(root: Json, operation: Json): { condition: string; status: number; example: Json }[] {
  return Object.entries(asObject(operation["responses"], "responses")).flatMap(([status, response]) =>
    Object.entries(examplesIn(root, response)).map(([condition, example]) => ({
      condition,
      example,
      status: Number(status === "default" ? asObject(example["value"], condition)["code"] : status),
    })),
  );
}

/** The JSON examples of a request body or a response, by name. */
function examplesIn(root: Json, holder: unknown): Record<string, Json> {
  if (holder === undefined) return {};
  const content = asObject(resolve(root, holder)["content"], "content");
  const media = asObject(content["application/json"], "application/json");
  const examples = Object.entries(asObject(media["examples"] ?? {}, "examples"));
  return Object.fromEntries(examples.map(([name, example]) => [name, resolve(root, example)]));
}

function resolve(root: Json, value: unknown): Json {
  const object = asObject(value, "a reference or an object");
  const reference = object["$ref"];
  if (typeof reference !== "string") return object;
  const target = reference
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>((node, key) => asObject(node, reference)[key.replaceAll("~1", "/").replaceAll("~0", "~")], root);
  return resolve(root, target);
}

function asObject(value: unknown, what: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${what}: an object is expected in the bundle`);
  }
  return value as Json;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function scalar(value: unknown): string | number | boolean {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new Error("an example of a query parameter is a string, a number or a boolean");
}
