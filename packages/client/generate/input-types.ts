/** Writes the inputs of the operations as documented TypeScript types, for editors to show. */
import type { DocumentedExample, Input, Operation } from "@chain-query/openapi/operations";
import { camelCase, kindOf } from "./operation-table.ts";

type Described = Pick<Operation, "summary" | "description" | "docsUrl" | "inputs" | "oneOf" | "together" | "examples"> & {
  readonly id: string;
};

/** The source of inputs.gen.ts: the input of each operation, and a table of them with the comments that methods show. */
export function inputTypes(operations: readonly Described[]): string {
  const entries = operations.map((operation) => {
    const { id } = operation;
    const type = takesInput(operation) ? inputName(id) : "Record<string, never>";
    return `${comment(operationText(operation), "  ")}\n  readonly ${id}: ${type};`;
  });
  return `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */
import type { Int64 } from "./int64.ts";

${operations.filter(takesInput).map(inputType).join("\n\n")}

/**
 * The input of each operation. A mapped type over this interface keeps the comments, so that editors show them.
 *
 * @example
 * \`\`\`ts
 * type Callers = { [Id in keyof Inputs]: (input: Inputs[Id]) => void };
 * \`\`\`
 */
export interface Inputs {
${entries.join("\n")}
}
`;
}

/** The source of methods.gen.ts: a method for each operation. Its comment is there twice: editors show one for a name, and one for a call. */
export function methodTypes(operations: readonly Described[]): string {
  const names = operations.filter(takesInput).map(({ id }) => inputName(id));
  const entries = operations.map((operation) => {
    const { id } = operation;
    const input = takesInput(operation) ? `input: ${inputName(id)}, ` : "";
    const text = operationText(operation);
    return `${comment(text, "  ")}
  readonly ${id}: {
${comment(text, "    ")}
    (${input}options?: CallOptions): QueryPromise<Results["${id}"]>;
  };`;
  });
  return `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */
import type { OperationId } from "@chain-query/types";
import type { QueryPromise } from "../calls/query-promise.ts";
import type { CallOptions } from "../options.ts";
import type { ${names.sort().join(", ")} } from "./inputs.gen.ts";

/** The methods of a client. With the results as a parameter, editors show their names. */
export interface Methods<Results extends Record<OperationId, unknown>> {
${entries.join("\n")}
}
`;
}

function operationText(operation: Described): string[] {
  const { summary, description, docsUrl } = operation;
  return [`${summary}.`, "", description, "", ...callExample(operation), `@see ${docsUrl}`];
}

const takesInput = ({ inputs }: Described): boolean => inputs.length > 0;

const inputName = (id: string): string => `${id.replace(/^./, (letter) => letter.toUpperCase())}Input`;

function inputType(operation: Described): string {
  const { id, docsUrl, inputs, oneOf, together } = operation;
  const varying = inputs.filter(({ name }) => oneOf.includes(name) || together.includes(name));
  const common = inputs.filter((input) => !varying.includes(input)).map((input) => member(operation, input));
  /** The names that are given, for each way to call the operation. */
  const ways = together.length > 0 ? [together, []] : oneOf.map((chosen) => [chosen]);
  const choices = ways.map((given) => {
    const members = varying.map((input) =>
      given.includes(input.name) ? member(operation, { ...input, required: true }) : excluded(id, input),
    );
    return `  | {\n${members.join("\n").replaceAll(/^/gm, "    ")}\n    }`;
  });
  const rule =
    oneOf.length > 0 ? [`${exactlyOneOf(operation)} is required.`] : together.length > 0 ? [`${bothOf(operation)}.`] : [];
  const text = [[`Input of \`${id}\`.`, ...rule].join(" "), "", ...callExample(operation), `@see ${docsUrl}`];
  if (choices.length === 0) return `${comment(text)}\nexport interface ${inputName(id)} {\n${common.join("\n")}\n}`;
  return `${comment(text)}\nexport type ${inputName(id)} = {\n${common.join("\n")}\n} & (\n${choices.join("\n")}\n);`;
}

function exactlyOneOf({ id, oneOf }: Described): string {
  const names = oneOf.map((name) => `\`${camelCase(id, name)}\``);
  return `Exactly one of ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function bothOf({ id, together }: Described): string {
  return `${together.map((name) => `\`${camelCase(id, name)}\``).join(" and ")} are given together or not at all`;
}

function excluded(id: string, { name }: Input): string {
  return `  ${camelCase(id, name)}?: undefined;`;
}

function member(operation: Described, input: Input): string {
  const { id, docsUrl, oneOf, examples } = operation;
  const kind = kindOf(`${id}: ${input.name}`, input);
  const type = typeof kind === "object" ? "Int64" : kind;
  const bounds = input.range && boundsOf(input.range);
  const values = examples.map(({ request }) => valuesOf(request)[input.name]);
  const value = [...values, ...(input.schema.examples ?? [])].find((each) => each !== undefined);
  const text = [
    input.description,
    ...(bounds === undefined ? [] : ["", bounds]),
    ...(oneOf.includes(input.name) ? [`${exactlyOneOf(operation)} is required.`] : []),
    "",
    ...(value === undefined ? [] : [`@example ${JSON.stringify(value)}`]),
    `@see ${docsUrl}`,
  ];
  const name = camelCase(`${id}: ${input.name}`, input.name);
  return `${comment(text, "  ")}\n  ${name}${input.required ? `: ${type}` : `?: ${type} | undefined`};`;
}

/** A shard has 64 bits, which many write as an unsigned integer: the client accepts both. */
function boundsOf({ least, most }: NonNullable<Input["range"]>): string {
  return least === -(2n ** 63n) ? "A 64-bit integer, signed or unsigned." : `An integer from ${least} to ${most}.`;
}

function valuesOf({ query, body }: DocumentedExample["request"]): Readonly<Record<string, unknown>> {
  return { ...query, ...body };
}

/** A call with the inputs of the first documented success. */
function callExample({ id, inputs, examples }: Described): string[] {
  const { request } = examples.find(({ response }) => response.status === 200) ?? {};
  const values = Object.entries(request === undefined ? {} : valuesOf(request));
  const members = values.map(([name, value]) => `${camelCase(id, name)}: ${JSON.stringify(value)}`);
  const line = `const result = await chain.${id}(${inputs.length > 0 ? `{ ${members.join(", ")} }` : ""});`;
  const long = ["const result = await chain.", id, "({\n", ...members.map((each) => `  ${each},\n`), "});"]
    .join("")
    .split("\n");
  return ["@example", "```ts", ...(line.length <= 100 ? [line] : long), "```"];
}

function comment(lines: readonly string[], indent = ""): string {
  const text = lines.map((line) => `${indent} * ${line.replaceAll("*/", "*\\/")}`.trimEnd());
  return [`${indent}/**`, ...text, `${indent} */`].join("\n");
}
