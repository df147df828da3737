/** Writes the comments of the types from the contract: its text, an example and a link to the reference. */
import type { Operation, Schema } from "@chain-query/openapi/operations";
import type { Documentation } from "./bundle-types.ts";

/** Where a schema or a member of one occurs first: an operation, and a value from its documented examples. */
interface Occurrence {
  readonly docsUrl: string;
  readonly value?: unknown;
}

/** The documentation of all schemas that the operations use. */
export function documentationOf(operations: readonly Operation[], schemas: Readonly<Record<string, Schema>>): Documentation {
  const found = new Map<string, Occurrence>();

  /** Notes the first operation that has a schema, and the first value of it. */
  function note(place: string, docsUrl: string, value: unknown): void {
    const known = found.get(place);
    if (known === undefined || (known.value === undefined && value !== undefined)) {
      found.set(place, { docsUrl: known?.docsUrl ?? docsUrl, value });
    }
  }

  function visit(schema: Schema, docsUrl: string, value: unknown): void {
    const { title, properties = {}, items, oneOf = [] } = schema;
    if (title !== undefined) note(title, docsUrl, value);
    const members = membersOf(value);
    for (const [name, member] of Object.entries(properties)) {
      if (title !== undefined) note(`${title}.${name}`, docsUrl, members[name]);
      visit(member, docsUrl, members[name]);
    }
    for (const branch of oneOf) visit(branch, docsUrl, fits(branch, members) ? value : undefined);
    if (items !== undefined)
      for (const each of Array.isArray(value) && value.length > 0 ? value : [undefined]) visit(items, docsUrl, each);
  }

  for (const { request, responses, examples, docsUrl } of operations) {
    visit(request, docsUrl, undefined);
    for (const { schema } of responses) visit(schema, docsUrl, undefined);
    for (const example of examples) {
      visit(request, docsUrl, example.request.body ?? example.request.query);
      const { schema } = responses.find(({ status }) => status === String(example.response.status)) ?? {};
      if (schema !== undefined) visit(schema, docsUrl, example.response.body);
    }
  }

  return (title, member) => {
    const schema = schemas[title];
    const about = member === undefined ? schema : schema?.properties?.[member];
    const occurrence = found.get(member === undefined ? title : `${title}.${member}`);
    if (about === undefined) return undefined;
    const value = occurrence?.value ?? about.examples?.[0];
    return [
      about.description ?? "",
      ...(value === undefined ? [] : ["", ...exampleLines(value)]),
      ...(occurrence === undefined ? [] : [`@see ${occurrence.docsUrl}`]),
    ];
  };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Whether an object has the required members of a branch of a `oneOf`. */
function fits({ required = [], properties = {} }: Schema, members: Readonly<Record<string, unknown>>): boolean {
  return required.every((name) => name in members && [undefined, members[name]].includes(properties[name]?.const as undefined));
}

function exampleLines(value: unknown): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`@example ${shortened(value)}`];
  const lines = Object.entries(value).map(
    ([name, member]) => `  ${/^\w+$/.test(name) ? name : `"${name}"`}: ${shortened(member)},`,
  );
  return ["@example", "```ts", "{", ...lines, "}", "```"];
}

/** A value on one line: objects and lists without their content, and the beginning of a long text. */
function shortened(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "[…]";
  if (typeof value === "object" && value !== null) return "{…}";
  const text = typeof value === "string" && value.length > 70 ? `${value.slice(0, 66)}…` : value;
  return JSON.stringify(text);
}
