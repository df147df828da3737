/** The operations of the contract as forms. */
import { type Contract, operationsOf, routeOf } from "../contract/contract.ts";
import type { DocumentedExample } from "../contract/examples.ts";
import { type ContractNode, isNode, nodeOf, nodesOf, resolved, textOf } from "../contract/node.ts";
import { keyIn } from "../samples/request.ts";
import type { PlaygroundExample, PlaygroundField, PlaygroundOperation } from "./form.ts";

/** Reads what the playground needs, each operation's examples with it. */
export function playgroundOperations(contract: Contract, examples: readonly DocumentedExample[]): PlaygroundOperation[] {
  return operationsOf(contract).map((operation) => {
    const { operationId, summary, tag } = operation;
    const own = examples.filter((example) => example.operationId === operationId);
    const [first] = own;
    if (first === undefined) throw new Error(`${operationId} has no example to fill the playground's fields from`);
    const { method, path } = first.request;
    const node = nodeOf(contract.paths[path]?.[method.toLowerCase()]);
    const body = bodySchema(contract, node);
    return {
      operationId,
      summary,
      tag,
      method,
      path,
      reference: `reference/${routeOf(operation)}`,
      fields: [...queryFields(contract, node), ...body.fields].map((field) => ({ ...field, type: typeIn(own, field) })),
      oneOf: body.oneOf,
      examples: own.map((example) => filled(example, own)),
    };
  });
}

type Untyped = Omit<PlaygroundField, "type">;

function queryFields(contract: Contract, operation: ContractNode): Untyped[] {
  return nodesOf(operation["parameters"])
    .map((parameter) => resolved(contract, parameter))
    .map((parameter) => ({
      name: textOf(parameter["name"]),
      place: "query",
      about: firstSentence(textOf(parameter["description"])),
      required: parameter["required"] === true,
    }));
}

/** Where a body is one of several objects, its fields are those of all, and what only some of them have excludes each other. */
function bodySchema(contract: Contract, operation: ContractNode): { fields: Untyped[]; oneOf: string[] } {
  const content = nodeOf(nodeOf(resolved(contract, nodeOf(operation["requestBody"])))["content"]);
  const schema = resolved(contract, nodeOf(nodeOf(content["application/json"])["schema"]));
  const kinds = nodesOf(schema["oneOf"]).map((kind) => resolved(contract, kind));
  const shapes = kinds.length > 0 ? kinds : [schema];
  const properties = shapes.flatMap((shape) => Object.entries(nodeOf(shape["properties"])).filter(([, node]) => isNode(node)));
  const always = shapes
    .map(({ required }) => (Array.isArray(required) ? required.map(String) : []))
    .reduce((all, some) => all.filter((name) => some.includes(name)));
  const fields = [...new Map(properties)].map(([name, node]) => ({
    name,
    place: "body" as const,
    about: firstSentence(textOf(resolved(contract, nodeOf(node))["description"])),
    required: always.includes(name),
  }));
  return { fields, oneOf: kinds.length > 0 ? fields.map(({ name }) => name).filter((name) => !always.includes(name)) : [] };
}

/** The way in which the examples write a value; the contract often allows two. */
function typeIn(examples: readonly DocumentedExample[], { name, place }: Untyped): PlaygroundField["type"] {
  const values = examples.map(({ request }) => nodeOf(place === "query" ? request.query : request.body)[name]);
  const type = typeof values.find((value) => value !== undefined);
  return type === "number" || type === "boolean" ? type : "string";
}

function filled(
  { condition, summary, request, response }: DocumentedExample,
  all: readonly DocumentedExample[],
): PlaygroundExample {
  const said = JSON.stringify(request);
  const key = keyIn(request);
  const usual = all.find((other) => JSON.stringify(other.request) === said);
  const values = Object.entries({ ...request.query, ...request.body }).map(([name, value]) => [name, String(value)]);
  return {
    condition,
    summary,
    status: response.status,
    values: Object.fromEntries(values),
    ...(key === undefined ? {} : { key }),
    ...(usual?.condition === condition ? {} : { prefer: `code=${response.status}, example=${condition}` }),
  };
}

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
}
