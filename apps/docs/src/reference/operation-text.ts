/** The page of an operation as Markdown, without its request and response. */
import { type DocumentedExample, type Input, type Operation, type Schema, schemas } from "@chain-query/openapi/operations";
import GithubSlugger from "github-slugger";
import { adviceFor, type Handling } from "../pages/errors.ts";
import type { Workflow } from "../pages/workflows.ts";

/** The line at which the page shows a request and its response. */
export const exchangeMark = "EXCHANGE";

/** Facts from outside of the contract. */
export interface OperationSources {
  workflows: readonly Workflow[];
  /** The code of the client's error for each status. */
  handled: ReadonlyMap<string, Handling>;
}

/** Writes the page. Links have the forms of guides. */
export function operationPageText(operation: Operation, { workflows, handled }: OperationSources): string {
  const { id, description, inputs, decision } = operation;
  const [first, rest] = splitSentence(description.trim());
  const using = workflows.filter(({ steps }) => steps.some(({ operationId }) => operationId === id));
  return [
    `# ${id}`,
    first,
    exchangeMark,
    ...(rest === "" && decision === undefined ? [] : [`${rest}${decided(decision)}`.trim()]),
    ...(inputs.length === 0
      ? []
      : ["## Parameters", inputsLead(operation), ...inputs.flatMap((input) => inputText(input, operation))]),
    "## Response fields",
    ...objectsIn(operation.envelope).flatMap((schema, index) => objectText(schema, index)),
    "## Errors",
    errorTable(operation, handled),
    "## Try it",
    "Each link opens the playground with the inputs of an example. Its mock needs no installation.",
    operation.examples.map(tryText).join("\n"),
    ...(using.length === 0 ? [] : ["## Workflows", using.map(workflowText).join("\n")]),
    "",
  ].join("\n\n");
}

/** The first sentence, and the others. */
export function splitSentence(text: string): [first: string, others: string] {
  const [first = text] = /^.*?[.](?=\s|$)/s.exec(text) ?? [];
  return [first, text.slice(first.length).trim()];
}

/** A link to the decision behind a text, if there is one. */
function decided(id: string | undefined): string {
  return id === undefined ? "" : ` [${id}](decision:${id})`;
}

function inputsLead({ method, oneOf }: Operation): string {
  const place = method === "GET" ? "Query parameters." : "JSON body.";
  const names = oneOf.map((name) => `\`${name}\``);
  return names.length === 0 ? place : `${place} Exactly one of ${names.slice(0, -1).join(", ")} and ${names.at(-1)}.`;
}

function inputText({ name, required, description, schema, range, decision }: Input, operation: Operation): string[] {
  const need = required ? "required" : operation.oneOf.includes(name) ? "one of these" : "optional";
  const example = exampleOf(name, operation.examples) ?? schema.examples?.[0];
  return [
    `- **\`${name}\`** *${boundedType(schema, range)}, ${need}*`,
    `  ${description.trim()} Example: \`${operation.method === "GET" ? example : JSON.stringify(example)}\`${decided(decision ?? schema["x-decision"])}`,
  ];
}

/** The value of an input in the first documented request that has it. */
function exampleOf(name: string, examples: readonly DocumentedExample[]): unknown {
  return examples.map(({ request }) => ({ ...request.query, ...request.body })[name]).find((value) => value !== undefined);
}

/** The schema, and all objects in it, each once. */
function objectsIn(schema: Schema, found: Map<string, Schema> = new Map()): Schema[] {
  const inside = [...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : []), ...Object.values(schema.properties ?? {})];
  const { title = "" } = schema;
  if (schema.properties !== undefined) {
    if (found.has(title)) return [];
    found.set(title, schema);
  }
  for (const one of inside) objectsIn(one, found);
  return [...found.values()];
}

function objectText(schema: Schema, index: number): string[] {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const need = required.has(name) ? "" : ", optional";
    const { description = "" } = member;
    return [`- **\`${name}\`** *${boundedType(member)}${need}*`, `  ${description.trim()}${decided(member["x-decision"])}`];
  });
  // A member may describe the object in its own words.
  const { description: about = "", "x-decision": decision } = schemas[schema.title ?? ""] ?? schema;
  // The envelope is the response itself.
  const heading = index === 0 ? [] : [`### ${schema.title}`, `${about.trim()}${decided(decision)}`];
  return [...heading, ...fields];
}

/** The type, with both of its bounds as "1 to 9". */
function boundedType(schema: Schema, range?: Input["range"]): string {
  const { minimum, maximum, ...rest } = schema;
  const [least, most] = [range?.least ?? minimum, range?.most ?? maximum];
  const isBounded = least !== undefined && most !== undefined;
  const type = typeText(isBounded ? rest : schema);
  return isBounded ? `${type}, ${least} to ${most}` : type;
}

/** A link to the section of an object, or the type in a few words. */
function typeText(schema: Schema): string {
  const { title, properties, oneOf, items, type } = schema;
  if (title !== undefined && properties !== undefined) return `[${title}](#${slugOf(title)})`;
  if (oneOf !== undefined) return oneOf.map(typeText).join(" or ");
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (items !== undefined) return `array of ${typeText(items)}`;
  const bounds = (["minimum", "maximum", "default"] as const).filter((keyword) => schema[keyword] !== undefined);
  return [[type].flat().join(" or "), ...bounds.map((keyword) => `${keyword} \`${schema[keyword]}\``)].join(", ");
}

function slugOf(heading: string): string {
  return new GithubSlugger().slug(heading);
}

function errorTable(operation: Operation, handled: OperationSources["handled"]): string {
  const rows = operation.responses
    .filter(({ status }) => !status.startsWith("2"))
    .map(({ status, description }) => {
      const todo =
        adviceFor(operation, handled.get(status)?.code ?? "") ??
        "Read `error`. After a 5xx try again later; after a 4xx fix the request.";
      const link = status === "default" ? "[others](site:errors/#other-statuses)" : `[${status}](site:errors/#${status})`;
      return `| ${link} | ${oneLine(description)} | ${oneLine(todo)} |`;
    });
  return ["| status | meaning | what to do |", "| --- | --- | --- |", ...rows].join("\n");
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
}

function tryText({ operationId, condition, summary, response }: DocumentedExample): string {
  return `- [${summary}](site:${playgroundPath(operationId, condition)}): ${response.status}`;
}

/** The playground with the inputs of an example. */
export function playgroundPath(operationId: string, condition: string): string {
  return `playground/?operation=${operationId}&example=${condition}`;
}

function workflowText({ title, summary }: Workflow): string {
  return `- [${title}](site:workflows/#${slugOf(title)}): ${summary}`;
}

/** A request and its response, for the Markdown version. */
export function exampleText({ condition, summary, request, response }: DocumentedExample): string {
  const query = new URLSearchParams(
    Object.entries(request.query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const headers = Object.entries(request.headers).map(([name, value]) => `\n${name}: ${value}`);
  const head = `${request.method} ${request.path}${query.size === 0 ? "" : `?${query}`}${headers.join("")}`;
  const body = request.body === undefined ? "" : `\n\n${JSON.stringify(request.body)}`;
  const responseBody = JSON.stringify(response.body, null, 2);
  return `Example \`${condition}\` (${summary}):\n\n\`\`\`http\n${head}${body}\n\`\`\`\n\nResponse ${response.status}:\n\n\`\`\`json\n${responseBody}\n\`\`\``;
}
