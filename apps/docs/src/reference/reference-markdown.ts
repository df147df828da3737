/** The reference as Markdown, for programs and for readers without JavaScript. */
import {
  type DocumentedExample,
  type Input,
  info,
  type Operation,
  operations,
  type Schema,
  schemas,
} from "@chain-query/openapi/operations";
import { shapeText, typeText } from "./schema-text.ts";

/** Returns the relative link to the Markdown version of a page, given the page's path. */
type Link = (path: string) => string;

/** Writes every operation with its inputs, responses and examples, and every schema. */
export function referenceMarkdown(link: Link): string {
  const { summary, version, description } = info;
  return [
    "# API reference",
    `${summary}. Version ${version}.`,
    // Only operations and schemas are level 2.
    description.trim().replaceAll(/^## /gm, "### "),
    ...operations.map((operation) => operationText(operation, link)),
    "# Schemas",
    ...Object.entries(schemas).map(([name, schema]) => schemaText(name, schema, link)),
    "",
  ].join("\n\n");
}

function operationText(operation: Operation, link: Link): string {
  const { id, method, path, summary, description, request, responses, inputs, examples, decision } = operation;
  const body = method === "POST" ? request.title : undefined;
  const parameters = inputs.filter((input) => input.in === "query");
  const listed = responses.map(({ status, description: about, schema }) => {
    return `- ${status}: ${about}${schema.title === undefined ? "" : ` ${schemaLink(schema.title)}`}`;
  });
  return [
    `## ${id}`,
    `\`${method} ${path}\``,
    `${summary}. ${description.trim()}${decisionLink(decision, link)}`,
    ...(parameters.length > 0 ? ["Query parameters:", parameters.map((input) => inputText(input, link)).join("\n")] : []),
    ...(body === undefined ? [] : [`Body, as JSON: ${schemaLink(body)}`]),
    "Responses:",
    listed.join("\n"),
    ...examples.map(exampleText),
  ].join("\n\n");
}

function inputText({ name, required, description, schema, decision }: Input, link: Link): string {
  return `- ${memberText(name, required, typeText(schema, wording), { description, decision }, link)}`;
}

/** Writes a request and its response. */
export function exampleText({ condition, summary, request, response }: DocumentedExample): string {
  const query = Object.entries(request.query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const headers = Object.entries(request.headers).map(([name, value]) => `\n${name}: ${value}`);
  const head = `${request.method} ${request.path}${query === "" ? "" : `?${query}`}${headers.join("")}`;
  const body = request.body === undefined ? "" : `\n\n${JSON.stringify(request.body)}`;
  const responseBody = JSON.stringify(response.body, null, 2);
  return `Example \`${condition}\` (${summary}):\n\n\`\`\`http\n${head}${body}\n\`\`\`\n\nResponse ${response.status}:\n\n\`\`\`json\n${responseBody}\n\`\`\``;
}

function schemaText(name: string, schema: Schema, link: Link): string {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(
    ([member, value]) => `- ${memberText(member, required.has(member), typeText(value, wording), ownTexts(value), link)}`,
  );
  return [
    `## ${name}`,
    `${schema.description ?? ""} (${shapeText(schema, wording)})${decisionLink(schema["x-decision"], link)}`,
    ...(members.length > 0 ? [members.join("\n")] : []),
  ].join("\n\n");
}

/** The texts beside a type. */
interface Texts {
  description?: string | undefined;
  decision?: string | undefined;
}

/** The texts of a schema, without the texts of the schema that it names. */
function ownTexts({ title = "", description, "x-decision": decision }: Schema): Texts {
  const named = schemas[title];
  return {
    description: description === named?.description ? undefined : description,
    decision: decision === named?.["x-decision"] ? undefined : decision,
  };
}

function memberText(name: string, required: boolean, type: string, { description, decision }: Texts, link: Link): string {
  const about = description === undefined ? "" : `: ${description}`;
  return `\`${name}\` (${type}${required ? "" : ", optional"})${about}${decisionLink(decision, link)}`;
}

const wording = {
  link: ({ title }: Schema) => (title === undefined ? undefined : schemaLink(title)),
  keywords: ["pattern", "minimum", "maximum", "minLength", "maxLength", "default"],
} as const;

function schemaLink(name: string): string {
  return `[${name}](#${name.toLowerCase().replaceAll(".", "")})`;
}

function decisionLink(id: string | undefined, link: Link): string {
  return id === undefined ? "" : ` ([${id}](${link(`decisions/#${id.toLowerCase()}`)}))`;
}
