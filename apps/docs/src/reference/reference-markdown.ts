/** The reference as Markdown, for programs and for readers without JavaScript. */
import { type DocumentedExample, type Input, type Operation, operations } from "@chain-query/openapi/operations";
import type { Contract, SchemaNode } from "../contract/contract.ts";

/** Returns the relative link to the Markdown version of a page, given the page's path. */
type Link = (path: string) => string;

/** Writes every operation with its inputs, answers and examples, and every schema. */
export function referenceMarkdown(contract: Contract, link: Link): string {
  const { summary, version, description } = contract.info;
  return [
    "# API reference",
    `${summary}. Version ${version}.`,
    // Only operations and schemas are level 2.
    description.trim().replaceAll(/^## /gm, "### "),
    ...operations.map((operation) => operationText(operation, contract, link)),
    "# Schemas",
    ...Object.entries(contract.components.schemas).map(([name, schema]) => schemaText(name, schema, link)),
    "",
  ].join("\n\n");
}

function operationText(operation: Operation, contract: Contract, link: Link): string {
  const { id, method, path, summary, description, request, responses, inputs, examples } = operation;
  const body = method === "POST" ? request.title : undefined;
  const parameters = inputs.filter((input) => input.in === "query");
  const answers = responses.map(({ status, description: about, schema }) => {
    return `- ${status}: ${about}${schema.title === undefined ? "" : ` ${schemaLink(schema.title)}`}`;
  });
  const decision = Object(contract.paths[path]?.[method.toLowerCase()])["x-decision"];
  return [
    `## ${id}`,
    `\`${method} ${path}\``,
    `${summary}. ${description.trim()}${decisionLink(decision, link)}`,
    ...(parameters.length > 0
      ? ["Query parameters:", parameters.map((input) => inputText(input, contract, link)).join("\n")]
      : []),
    ...(body === undefined ? [] : [`Body, as JSON: ${schemaLink(body)}`]),
    "Answers:",
    answers.join("\n"),
    ...examples.map(exampleText),
  ].join("\n\n");
}

function inputText({ name, required, description, schema }: Input, { components }: Contract, link: Link): string {
  const decision = components.parameters[name]?.["x-decision"];
  const node = { description, ...(decision !== undefined && { "x-decision": decision }) };
  return `- ${memberText(name, required, node, typeText(schema), link)}`;
}

function exampleText({ condition, summary, request, response }: DocumentedExample): string {
  const query = Object.entries(request.query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const headers = Object.entries(request.headers).map(([name, value]) => `\n${name}: ${value}`);
  const head = `${request.method} ${request.path}${query === "" ? "" : `?${query}`}${headers.join("")}`;
  const body = request.body === undefined ? "" : `\n\n${JSON.stringify(request.body)}`;
  const answer = JSON.stringify(response.body, null, 2);
  return `Example \`${condition}\` (${summary}):\n\n\`\`\`http\n${head}${body}\n\`\`\`\n\nanswers ${response.status}:\n\n\`\`\`json\n${answer}\n\`\`\``;
}

function schemaText(name: string, schema: SchemaNode, link: Link): string {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(
    ([member, value]) => `- ${memberText(member, required.has(member), value, typeText(value), link)}`,
  );
  return [
    `## ${name}`,
    `${schema.description ?? ""} (${typeText(schema)})${decisionLink(schema["x-decision"], link)}`,
    ...(members.length > 0 ? [members.join("\n")] : []),
  ].join("\n\n");
}

function memberText(name: string, required: boolean, node: SchemaNode, type: string, link: Link): string {
  const about = node.description === undefined ? "" : `: ${node.description}`;
  return `\`${name}\` (${type}${required ? "" : ", optional"})${about}${decisionLink(node["x-decision"], link)}`;
}

/** The type in a few words, with the bounds of its values. */
function typeText(schema: SchemaNode): string {
  const name = schema.$ref?.split("/").at(-1) ?? schema.title;
  if (name !== undefined) return schemaLink(name);
  if (schema.oneOf !== undefined) return schema.oneOf.map(typeText).join(" or ");
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (schema.items !== undefined) return `array of ${typeText(schema.items)}`;
  const bounds = (["pattern", "minimum", "maximum", "minLength", "maxLength", "default"] as const).flatMap((keyword) =>
    schema[keyword] === undefined ? [] : [`${keyword} \`${schema[keyword]}\``],
  );
  return [[schema.type].flat().join(" or "), ...bounds].join(", ");
}

function schemaLink(name: string): string {
  return `[${name}](#${name.toLowerCase().replaceAll(".", "")})`;
}

function decisionLink(id: string | undefined, link: Link): string {
  return id === undefined ? "" : ` ([${id}](${link(`decisions/#${id.toLowerCase()}`)}))`;
}
