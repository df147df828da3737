/** Invalid requests whose body is not JSON, not an object, too large, or lacks or adds members. */
import { operations } from "@chain-query/openapi/operations";
import { inputOf, typicalRequest } from "../../contract/documented-requests.ts";
import { changed, type Refusal } from "./refusal.ts";

const posts = operations.filter(({ method }) => method === "POST");

export const bodyRefusals: readonly Refusal[] = [
  ...operations.flatMap(({ id, inputs }) =>
    inputs
      .filter(({ required }) => required)
      .map(({ name }) => ({
        operation: id,
        name: `without-${name}`,
        law: placeOf(id),
        request: changed(id, { [name]: undefined }),
      })),
  ),
  ...posts.filter(({ inputs }) => inputs.length > 0).map(({ id }) => raw(id, "empty-object", "{}")),
  ...posts.flatMap(({ id: operation }): Refusal[] => [
    raw(operation, "empty-body", ""),
    raw(operation, "broken-json", '{"address": '),
    raw(operation, "array", "[]"),
    raw(operation, "null", "null"),
    { ...raw(operation, "unknown-member", ""), law: "D-27", request: changed(operation, { no_such_member: 1 }) },
    {
      ...raw(operation, "wrong-content-type", ""),
      // HTTP defines 415 for an unsupported content type (RFC 9110 §15.5.16).
      statuses: [422, 415],
      request: {
        ...raw(operation, "", JSON.stringify(inputOf(typicalRequest(operation)))).request,
        headers: { "content-type": "text/plain" },
      },
    },
    {
      ...raw(operation, "two-megabytes", ""),
      // HTTP defines 413 for a body that is too large (RFC 9110 §15.5.14).
      statuses: [422, 413],
      request: changed(operation, { no_such_member: "x".repeat(2_000_000) }),
    },
  ]),
];

function raw(operation: string, name: string, text: string): Refusal {
  const { method, path } = typicalRequest(operation);
  return { operation, name, law: placeOf(operation), request: { operation, method, path, text } };
}

function placeOf(operation: string): string {
  const { method, path } = typicalRequest(operation);
  const input = method === "GET" ? "parameters" : "requestBody";
  return `#/paths/${path.replaceAll("/", "~1")}/${method.toLowerCase()}/${input}`;
}
