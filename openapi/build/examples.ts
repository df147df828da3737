/** Pairs the contract's examples: a request and a response belong together if their examples have the same name. */
import type { DocumentedExample, Response } from "../src/operation.ts";
import { type Json, listAt, objectAt } from "./dereference.ts";

/**
 * Lists every documented pair of one operation, in the order of its responses.
 *
 * @throws Error if a parameter has an example that no response has
 */
export function examplesOf(
  { method, path, operation }: { method: string; path: string; operation: Json },
  responses: readonly Response[],
): DocumentedExample[] {
  const operationId = String(operation["operationId"]);
  const parameters = listAt(operation["parameters"]).map((parameter) => objectAt(parameter, operationId));
  const body = operation["requestBody"];
  const bodies = body === undefined ? {} : jsonExamples(objectAt(body, operationId));
  const known = new Set(responses.flatMap(({ examples }) => Object.keys(examples)));
  const conditions = parameters.flatMap(({ examples = {} }) => Object.keys(objectAt(examples, operationId)));
  const odd = conditions.find((condition) => !known.has(condition));
  if (odd !== undefined) throw new Error(`${operationId}: a parameter has the example ${odd}, which no response has`);
  return responses.flatMap(({ status, examples }) =>
    Object.entries(examples).flatMap(([condition, { summary, value }]): DocumentedExample[] => {
      const named = parameters.flatMap(({ name, examples: values = {} }) => {
        const example = objectAt(values, operationId)[condition];
        return example === undefined ? [] : [[String(name), scalar(objectAt(example, condition)["value"])] as const];
      });
      const sent = bodies[condition];
      const content = objectAt(value, condition);
      // The status of `default` is the code that the failure carries.
      const actual = Number(status === "default" ? content["code"] : status);
      const takesInput = body !== undefined || parameters.length > 0;
      if (sent === undefined && named.length === 0 && (takesInput || actual >= 300)) return [];
      const headers = Object.entries(objectAt(sent?.["x-headers"] ?? {}, operationId));
      return [
        {
          operationId,
          condition,
          summary,
          request: {
            method,
            path,
            query: Object.fromEntries(named),
            headers: Object.fromEntries(headers.map(([name, header]) => [name, String(header)])),
            ...(sent === undefined ? {} : { body: objectAt(sent["value"], condition) }),
          },
          response: { status: actual, body: content },
        },
      ];
    }),
  );
}

/** The named examples of the JSON content of a request body or a response. */
export function jsonExamples(holder: Json): Record<string, Json> {
  const examples = Object.entries(objectAt(jsonContent(holder)["examples"] ?? {}, "examples"));
  return Object.fromEntries(examples.map(([name, example]) => [name, objectAt(example, name)]));
}

/** The JSON content of a request body or a response. */
export function jsonContent(holder: Json): Json {
  return objectAt(objectAt(holder["content"], "content")["application/json"], "application/json");
}

function scalar(value: unknown): string | number | boolean {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new Error("an example of a query parameter is a string, a number or a boolean");
}
