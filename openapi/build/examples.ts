/** Pairs the contract's examples: each response of an operation that belongs to one request, with that request. */
import type { DocumentedExample } from "../src/operation.ts";
import { type Json, listAt, objectAt } from "./dereference.ts";

/**
 * Lists every documented pair of one operation, in the order of its responses. The request of a response is the example of the body
 * with the same name, or the query in `x-request`; a success of an operation without input needs none. Other responses may follow
 * any request.
 */
export function examplesOf({
  method,
  path,
  operation,
}: {
  method: string;
  path: string;
  operation: Json;
}): DocumentedExample[] {
  const operationId = String(operation["operationId"]);
  const body = operation["requestBody"];
  const bodies = body === undefined ? {} : jsonExamples(objectAt(body, operationId));
  const takesInput =
    Object.keys(bodies).length > 0 ||
    listAt(operation["parameters"]).some((one) => objectAt(one, operationId)["in"] === "query");
  const responses = Object.entries(objectAt(operation["responses"], operationId)).map(
    ([status, response]) => [status, objectAt(response, operationId)] as const,
  );
  const withBody = responses.filter(([, response]) => "content" in response);
  return withBody.flatMap(([status, response]) =>
    Object.entries(jsonExamples(response)).flatMap(([condition, example]): DocumentedExample[] => {
      const sent = bodies[condition];
      const { summary, value, "x-request": query } = example;
      const actual = statusOf(status, value);
      if (sent === undefined && query === undefined && (takesInput || actual >= 300)) return [];
      const headers = Object.entries(objectAt(sent?.["x-headers"] ?? {}, condition));
      return [
        {
          operationId,
          condition,
          summary: String(summary),
          request: {
            method,
            path,
            query: Object.fromEntries(
              Object.entries(objectAt(query ?? {}, condition)).map(([name, one]) => [name, scalar(one)]),
            ),
            headers: Object.fromEntries(headers.map(([name, header]) => [name, String(header)])),
            ...(body === undefined ? {} : { body: objectAt(sent?.["value"] ?? {}, condition) }),
          },
          response: { status: actual, body: objectAt(value, condition) },
        },
      ];
    }),
  );
}

/** The status of an example. That of `default` is the code that the failure carries. */
export function statusOf(status: string, value: unknown): number {
  return Number(status === "default" ? objectAt(value, "an example of default")["code"] : status);
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
