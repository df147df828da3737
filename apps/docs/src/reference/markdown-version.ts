/** The reference as Markdown, for machines and for whoever reads without a browser. */
import { type Contract, operationsOf } from "../contract/contract.ts";
import type { DocumentedExample } from "../contract/examples.ts";
import { type ContractNode, isNode, nodeOf, nodesOf, referenceName, resolved, textOf } from "../contract/node.ts";

/**
 * Writes every operation with its inputs, answers and examples, and every schema.
 *
 * @param link the address of another Markdown file of the site, such as a decision's
 */
export function referenceMarkdown(
  contract: Contract,
  examples: readonly DocumentedExample[],
  link: (path: string) => string,
): string {
  const operations = operationsOf(contract).map(({ operationId }) => operationText(contract, operationId, examples, link));
  const schemas = Object.entries(nodeOf(nodeOf(Reflect.get(contract, "components"))["schemas"])).map(([name, schema]) =>
    schemaText(name, nodeOf(schema), link),
  );
  return [
    `# API reference`,
    `${contract.info.summary}. Version ${contract.info.version}.`,
    contract.info.description.trim().replaceAll(/^## /gm, "### "),
    ...operations,
    "# Schemas",
    ...schemas,
    "",
  ].join("\n\n");
}

type Link = (path: string) => string;

function operationText(contract: Contract, id: string, examples: readonly DocumentedExample[], link: Link): string {
  const [path = "", method = "", operation] = findOperation(contract, id);
  const parameters = nodesOf(operation["parameters"]).map((parameter) => resolved(contract, parameter));
  const inputs = parameters.map(
    (parameter) => `- ${memberText(textOf(parameter["name"]), parameter["required"] === true, parameter, link)}`,
  );
  const body = referenceName(jsonSchema(resolved(contract, nodeOf(operation["requestBody"]))));
  const answers = Object.entries(nodeOf(operation["responses"])).map(([status, response]) => {
    const told = resolved(contract, nodeOf(response));
    const schema = referenceName(jsonSchema(told));
    return `- ${status}: ${textOf(told["description"])}${schema === undefined ? "" : ` ${schemaLink(schema)}`}`;
  });
  return [
    `## ${id}`,
    `\`${method.toUpperCase()} ${path}\``,
    `${textOf(operation["summary"])}. ${textOf(operation["description"]).trim()}${decision(operation, link)}`,
    ...(inputs.length > 0 ? ["Query parameters:", inputs.join("\n")] : []),
    ...(body === undefined ? [] : [`Body, as JSON: ${schemaLink(body)}`]),
    "Answers:",
    answers.join("\n"),
    ...examples.filter(({ operationId }) => operationId === id).map(exampleText),
  ].join("\n\n");
}

function findOperation(contract: Contract, id: string): [path: string, method: string, operation: ContractNode] {
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (isNode(operation) && operation["operationId"] === id) return [path, method, operation];
    }
  }
  throw new Error(`the contract has no operation ${id}`);
}

function jsonSchema(holder: ContractNode): ContractNode {
  return nodeOf(nodeOf(nodeOf(holder["content"])["application/json"])["schema"]);
}

function exampleText({ condition, summary, request, response }: DocumentedExample): string {
  const query = Object.entries(request.query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const headers = Object.entries(request.headers).map(([name, value]) => `\n${name}: ${value}`);
  const asked = `${request.method} ${request.path}${query === "" ? "" : `?${query}`}${headers.join("")}`;
  const body = request.body === undefined ? "" : `\n\n${JSON.stringify(request.body)}`;
  const answered = JSON.stringify(response.body, null, 2);
  return `Example \`${condition}\` (${summary}):\n\n\`\`\`http\n${asked}${body}\n\`\`\`\n\nanswers ${response.status}:\n\n\`\`\`json\n${answered}\n\`\`\``;
}

function schemaText(name: string, schema: ContractNode, link: Link): string {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const members = Object.entries(nodeOf(schema["properties"])).map(
    ([member, value]) => `- ${memberText(member, required.has(member), nodeOf(value), link)}`,
  );
  return [
    `## ${name}`,
    `${textOf(schema["description"])} (${typeText(schema)})${decision(schema, link)}`,
    ...(members.length > 0 ? [members.join("\n")] : []),
  ].join("\n\n");
}

function memberText(name: string, required: boolean, node: ContractNode, link: Link): string {
  const schema = isNode(node["schema"]) ? node["schema"] : node;
  const description = textOf(node["description"]);
  return `\`${name}\` (${typeText(schema)}${required ? "" : ", optional"})${description && `: ${description}`}${decision(node, link)}`;
}

/** The type in a few words, with the bounds that a caller has to keep. */
function typeText(schema: ContractNode): string {
  const name = referenceName(schema);
  if (name !== undefined) return schemaLink(name);
  const choices = nodesOf(schema["oneOf"]);
  if (choices.length > 0) return choices.map(typeText).join(" or ");
  if (schema["const"] !== undefined) return `always ${JSON.stringify(schema["const"])}`;
  if (isNode(schema["items"])) return `array of ${typeText(schema["items"])}`;
  const bounds = ["pattern", "minimum", "maximum", "minLength", "maxLength", "default"].flatMap((word) =>
    schema[word] === undefined ? [] : [`${word} \`${schema[word]}\``],
  );
  return [[schema["type"]].flat().join(" or "), ...bounds].join(", ");
}

function schemaLink(name: string): string {
  return `[${name}](#${name.toLowerCase().replaceAll(".", "")})`;
}

function decision(node: ContractNode, link: Link): string {
  const id = textOf(node["x-decision"]);
  return id === "" ? "" : ` ([${id}](${link(`decisions/#${id.toLowerCase()}`)}))`;
}
