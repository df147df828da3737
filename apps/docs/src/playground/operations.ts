/** Makes the forms of the playground from the operations of the contract. */
import { type DocumentedExample, type Input, type Operation, operations } from "@chain-query/openapi/operations";
import { routeOf } from "../contract/contract.ts";
import { apiKeyOf } from "../samples/request.ts";
import type { PlaygroundExample, PlaygroundField, PlaygroundOperation } from "./page-data.ts";

/** The form of every operation. */
export function playgroundOperations(): PlaygroundOperation[] {
  return operations.map((operation) => {
    const { id, summary, tag, method, path, inputs, oneOf, examples } = operation;
    return {
      operationId: id,
      summary,
      tag,
      method,
      path,
      reference: `reference/${routeOf(operation)}`,
      fields: inputs.map((input) => fieldOf(input, operation)),
      oneOf: [...oneOf],
      examples: examples.map((example) => exampleOf(example, examples)),
    };
  });
}

function fieldOf({ name, in: place, description, required }: Input, { examples }: Operation): PlaygroundField {
  // The contract often allows two types; the form sends the one that the examples have.
  const values = examples.map(({ request }) => (place === "query" ? request.query : request.body)?.[name]);
  const type = typeof values.find((value) => value !== undefined);
  const about = /^.*?[.](?=\s|$)/s.exec(description)?.[0] ?? description;
  return { name, place, about, required, type: type === "number" || type === "boolean" ? type : "string" };
}

function exampleOf(
  { condition, summary, request, response }: DocumentedExample,
  all: readonly DocumentedExample[],
): PlaygroundExample {
  const key = apiKeyOf(request);
  const first = all.find((other) => JSON.stringify(other.request) === JSON.stringify(request));
  const values = Object.entries({ ...request.query, ...request.body }).map(([name, value]) => [name, String(value)]);
  return {
    condition,
    summary,
    status: response.status,
    values: Object.fromEntries(values),
    ...(key === undefined ? {} : { key }),
    // If several answers to one request are documented, a mock gives the first, unless the header selects another.
    ...(first?.condition === condition ? {} : { prefer: `code=${response.status}, example=${condition}` }),
  };
}
