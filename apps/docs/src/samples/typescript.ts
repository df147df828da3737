/** Code samples in TypeScript: with our client, and with fetch. */
import { apiKeyOf, keyHeader, keyVariable, type SampleRequest } from "./request.ts";

/**
 * Writes a request as a call of our client. It prints the result, or if `fails` the error body, or the message of
 * a request that the client does not send.
 */
export function clientSample(request: SampleRequest, baseUrl: string, fails: boolean): string {
  const { operationId, query, body, together = [] } = request;
  const inputs = Object.entries({ ...query, ...body }).map(([name, value]) => [camelCase(name), value] as const);
  const start = `const result = await chain.${operationId}(`;
  const call = `chain.${operationId}(${inputs.length === 0 ? "" : literal(Object.fromEntries(inputs), start.length + 2)})`;
  const options = [
    `baseUrl: ${JSON.stringify(baseUrl)}`,
    ...(apiKeyOf(request) !== undefined ? [`apiKey: process.env.${keyVariable} ?? ""`] : []),
  ];
  const clientOptions = options.length === 1 ? `{ ${options} }` : `{\n${options.map((option) => `  ${option},\n`).join("")}}`;
  return [
    `import { ${fails ? "ApiError, ChainQueryError, " : ""}createClient } from "@chain-query/client";`,
    "",
    `const chain = createClient(${clientOptions});`,
    "",
    ...(fails
      ? tryStatement(call, halfOf(together, { ...query, ...body }))
      : [`const result = await ${call};`, "console.log(result);"]),
  ].join("\n");
}

/** What the types of the client say of a request with some of the inputs that belong together. */
function halfOf(together: readonly string[], inputs: object): string[] {
  const given = together.filter((name) => name in inputs);
  if (given.length === 0 || given.length === together.length) return [];
  return [`  // @ts-expect-error: ${together.join(" and ")} are given together`];
}

function tryStatement(call: string, comment: readonly string[]): string[] {
  return [
    "try {",
    ...comment,
    `  const result = await ${indent(call)};`,
    "  console.log(result);",
    "} catch (error) {",
    "  if (!(error instanceof ChainQueryError)) throw error;",
    "  console.log(error instanceof ApiError ? error.envelope : error.message);",
    "}",
  ];
}

/** The client names inputs in camel case. */
function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Writes a request as a program without dependencies, for Node.js, Deno, Bun and browsers. */
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

/** The playground shows lines of 79 characters without scrolling in a window of 1280 pixels. */
const maxLineLength = 72;

/**
 * Writes an object of plain values on one line if that line has at most 72 characters together with the `besideLength` characters of
 * code around it, otherwise with a line for each member.
 */
function literal(value: object, besideLength: number): string {
  const members = Object.entries(value).map(([name, member]) => `${propertyKey(name)}: ${JSON.stringify(member)}`);
  if (members.length === 0) return "{}";
  const line = `{ ${members.join(", ")} }`;
  return besideLength + line.length <= maxLineLength ? line : `{\n${members.map((member) => `  ${member},\n`).join("")}}`;
}

/** Indents all lines but the first. */
function indent(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

function propertyKey(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}
