/** Code samples with our client. */
import { apiKeyOf, indent, keyVariable, literal, type SampleRequest } from "./request.ts";

/**
 * Writes a request as a call of our client. It prints the result, or the error body if `fails`.
 *
 * @example
 * clientSample(request, "http://127.0.0.1:4010", false); // import { createClient } from "@chain-query/client"; …
 */
export function clientSample(request: SampleRequest, baseUrl: string, fails: boolean): string {
  const { operationId, query, body } = request;
  const inputs = Object.entries({ ...query, ...body }).map(([name, value]) => [camelCase(name), value] as const);
  const start = `const result = await chain.${operationId}(`;
  const call = `chain.${operationId}(${inputs.length === 0 ? "" : literal(Object.fromEntries(inputs), start.length + 2)})`;
  const options = [
    `baseUrl: ${JSON.stringify(baseUrl)}`,
    ...(apiKeyOf(request) !== undefined ? [`apiKey: process.env.${keyVariable} ?? ""`] : []),
  ];
  const clientOptions = options.length === 1 ? `{ ${options} }` : `{\n${options.map((option) => `  ${option},\n`).join("")}}`;
  return [
    `import { ${fails ? "ApiError, " : ""}createClient } from "@chain-query/client";`,
    "",
    `const chain = createClient(${clientOptions});`,
    "",
    ...(fails ? tryStatement(call) : [`const result = await ${call};`, "console.log(result);"]),
  ].join("\n");
}

function tryStatement(call: string): string[] {
  return [
    "try {",
    `  const result = await ${indent(call)};`,
    "  console.log(result);",
    "} catch (error) {",
    "  if (!(error instanceof ApiError)) throw error;",
    "  console.log(error.envelope);",
    "}",
  ];
}

/** The client names inputs in camel case. */
function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
