/** Code samples with fetch. */
import { indent, keyHeader, keyVariable, literal, type SampleRequest } from "./request.ts";

/**
 * Writes a request as a program without dependencies, for Node.js, Deno, Bun and browsers.
 *
 * @example
 * fetchSample(request, "http://127.0.0.1:4010"); // const response = await fetch("http://127.0.0.1:4010/api/v2/…
 */
export function fetchSample(request: SampleRequest, baseUrl: string): string {
  const { path, query, body, method } = request;
  const members = [
    ...(method === "GET" ? [] : [`method: ${JSON.stringify(method)}`]),
    ...headersMember(request),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indent(literal(body, "  body: JSON.stringify(),".length))})`]),
  ];
  const options = members.length === 0 ? "" : `, {\n${members.map((member) => `  ${member},\n`).join("")}}`;
  const hasQuery = Object.keys(query).length > 0;
  const url = hasQuery ? `\`${baseUrl}${path}?\${query}\`` : JSON.stringify(baseUrl + path);
  return [
    ...(hasQuery
      ? [`const query = new URLSearchParams(${literal(toStrings(query), "const query = new URLSearchParams();".length)});`]
      : []),
    `const response = await fetch(${url}${options});`,
    "console.log(await response.json());",
  ].join("\n");
}

function headersMember({ headers, body }: SampleRequest): string[] {
  const members = [
    ...(body === undefined ? [] : ['"content-type": "application/json"']),
    ...Object.entries(headers).map(([name, value]) =>
      name.toLowerCase() === keyHeader
        ? `"X-API-Key": process.env.${keyVariable} ?? ""`
        : `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    ),
  ];
  return members.length === 0 ? [] : [`headers: { ${members.join(", ")} }`];
}

function toStrings(query: SampleRequest["query"]): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}
