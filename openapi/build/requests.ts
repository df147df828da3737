/** Writes the module `@chain-query/openapi/requests`: the schemas of requests compiled by Ajv, with the tables of inputs. */
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import type { Input, Operation, Schema } from "../src/operation.ts";

const address = "an address, workchain:64 hexadecimal digits or 48 characters of base64";

/** The module and its declarations. The module needs `check-request.js` and `responses/reason.js`. */
export async function requestsModule(
  operations: readonly Operation[],
  reasons: readonly string[],
): Promise<{ js: string; dts: string }> {
  const compiled = new CompiledSchemas();
  const rules = operations.map((operation) => `  ${operation.id}: ${ruleOf(operation, compiled)},`);
  const source = `import { checkByRule, convertByRule, parseByRule } from "./check-request.js";
export { reasonOf } from "./responses/reason.js";
${compiled.source()}
const rules = {
${rules.join("\n")}
};
export function checkRequest(operation, sent, place) {
  return checkByRule(rules[operation], sent, place);
}
export function convertInputs(operation, sent) {
  return convertByRule(rules[operation], sent);
}
export function parseBody(text, operation) {
  return parseByRule(operation === undefined ? undefined : rules[operation], text);
}
`;
  // Ajv's code requires helpers of Ajv, which esbuild puts into the module.
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    external: ["./check-request.js", "./responses/reason.js"],
    format: "esm",
    platform: "neutral",
    minifySyntax: true,
    minifyWhitespace: true,
    write: false,
  });
  const banner = "/** Generated from the contract by this package's build. */\n";
  return { js: banner + (outputFiles[0]?.text ?? ""), dts: banner + declarations(operations, reasons) };
}

/** Validators of schemas, each compiled once however often it is used. */
class CompiledSchemas {
  readonly #ajv = new Ajv2020({
    allowUnionTypes: true,
    messages: false,
    formats: { int32: true, int64: true },
    code: { source: true, esm: true },
  });
  readonly #names = new Map<string, string>();

  /** The name of the function that says whether a schema accepts a value. */
  nameOf(schema: Schema): string {
    const key = JSON.stringify(schema, (member, value) => (annotations.has(member) ? undefined : value));
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `accepts${this.#names.size + 1}`;
    this.#names.set(key, name);
    this.#ajv.addSchema(JSON.parse(key), name);
    return name;
  }

  source(): string {
    const names = [...this.#names.values()];
    return standalone.default(this.#ajv, Object.fromEntries(names.map((name) => [name, name]))).replaceAll(/^export /gm, "");
  }
}

/** Keywords that do not change the values that a schema accepts. A property of such a name would be lost, so the build rejects it. */
const annotations = new Set(["title", "description", "examples", "default", "x-decision", "x-kind", "x-minimum", "x-maximum"]);

function ruleOf({ inputs, oneOf, together, request, method, examples }: Operation, compiled: CompiledSchemas): string {
  const sample = examples.find(({ request: { body }, response }) => body !== undefined && response.status === 200)?.request
    .body;
  const members = inputs.map((input) => `      ${inputRule(input, compiled)},`);
  return `{
    in: ${JSON.stringify(method === "GET" ? "query" : "body")},
    inputs: [
${members.join("\n")}
    ],
    oneOf: ${JSON.stringify(oneOf)},
    together: ${JSON.stringify(together)},
    sample: ${JSON.stringify(JSON.stringify(sample ?? {}))},
    accepts: ${compiled.nameOf(request)},
  }`;
}

function inputRule(input: Input, compiled: CompiledSchemas): string {
  const { name, kind, required, range, schema } = input;
  if (annotations.has(name)) throw new Error(`an input cannot be named ${name}`);
  const isWide = !isNarrow(input);
  const number = (value: bigint): string => (isWide ? `${value}n` : `${value}`);
  const parts = [
    `name: ${JSON.stringify(name)}`,
    `kind: ${JSON.stringify(kind)}`,
    `required: ${required}`,
    `accepts: ${compiled.nameOf(schema)}`,
    `accepted: ${JSON.stringify(acceptedBy(input))}`,
  ];
  if (range !== undefined) parts.push(`range: [${number(range.least)}, ${number(range.most)}]`);
  if (schema.default !== undefined) {
    parts.push(`default: ${kind === "integer" ? number(BigInt(String(schema.default))) : JSON.stringify(schema.default)}`);
  }
  if (schema.type === "integer" || schema.type === "boolean") parts.push(`type: "${schema.type}"`);
  return `{ ${parts.join(", ")} }`;
}

function isNarrow({ range }: Input): boolean {
  return range !== undefined && range.least >= Number.MIN_SAFE_INTEGER && range.most <= Number.MAX_SAFE_INTEGER;
}

/** Description of the accepted values of an input. */
function acceptedBy({ kind, in: place, range, schema }: Input): string {
  if (kind === "address") return address;
  if (kind === "addressOrEmpty") return `${address}, or empty for a message from outside`;
  if (kind === "hash") return "64 hexadecimal or 44 base64 characters, which are 32 bytes";
  if (kind === "boolean") return "true or false";
  if (kind === "string" || range === undefined)
    return schema.pattern === undefined ? "a string" : `a string like ${schema.pattern}`;
  const integer = `an integer from ${range.least} to ${range.most}`;
  if (place === "query") return integer;
  const types = [schema.type].flat();
  if (!types.includes("string")) return integer;
  return types.includes("integer") ? `${integer}, as a number or a decimal string` : `${integer}, as a decimal string`;
}

function declarations(operations: readonly Operation[], reasons: readonly string[]): string {
  return `import type { ParsedAddress } from "./address.js";
import type { Checked, ParsedBody, Place } from "./check-request.js";
import type { OperationId } from "./operations.js";
export type { Checked, ParsedBody, Place };

/** The known reasons of failures. */
export type FailureReason = ${reasons.map((reason) => JSON.stringify(reason)).join(" | ")};

/** The reason of a failure with this status that has no reason of its own. */
export declare function reasonOf(status: number): FailureReason;

/** The inputs of each operation as {@link checkRequest} reads them: defaults are filled in. */
export interface RequestInputs {
${operations.map((operation) => `  ${operation.id}: ${inputsType(operation)};`).join("\n")}
}

/**
 * Checks a request against the contract and reads its inputs.
 *
 * Of a query it takes the texts by their names, and a list of the texts of a parameter that is given several times; it ignores
 * unknown parameters. Of a body it takes the parsed JSON, with or without \`@extra\`. A problem begins with the name of the input
 * and may repeat up to 60 characters of a wrong value. It names the place of the inputs: by default that of the contract.
 *
 * @example
 * \`\`\`ts
 * const checked = checkRequest("getTransactionsStd", { address: "0:00", limit: "2" });
 * if (!checked.ok) refuse(422, checked.problems.join("; ")); // address: got "0:00", expected an address, workchain:64 …
 * else page(checked.inputs.address.hash, checked.inputs.limit); // Uint8Array(32), 2
 * \`\`\`
 */
export declare function checkRequest<Id extends OperationId>(operation: Id, sent: unknown, place?: Place): Checked<RequestInputs[Id]>;

/**
 * The inputs of a request that was sent in another form than the contract's, such as by JSON-RPC or by the other of GET and POST, as the
 * query or body for {@link checkRequest}. Unknown inputs and those that are null are left out; numbers may be texts, and texts numbers.
 *
 * @example
 * \`\`\`ts
 * convertInputs("lookupBlock", { workchain: "-1", shard: "-9223372036854775808", seqno: "7" }); // { workchain: -1, …, seqno: 7 }
 * \`\`\`
 */
export declare function convertInputs(
  operation: OperationId,
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>>;

/**
 * Parses the body of a request: JSON, at most 32 levels deep. The result is \`undefined\` if it is empty. If the operation
 * accepts an integer as a number or as text, a number that JavaScript cannot represent exactly becomes its text; without an operation
 * always.
 *
 * @example
 * \`\`\`ts
 * const parsed = parseBody(text, "lookupBlock");
 * const checked = parsed.ok ? checkRequest("lookupBlock", parsed.body) : refuse(422, parsed.problem);
 * \`\`\`
 */
export declare function parseBody(text: string, operation?: OperationId): ParsedBody;
`;
}

function inputsType({ inputs, oneOf }: Operation): string {
  const member = (input: Input, optional: boolean): string => `readonly ${input.name}${optional ? "?" : ""}: ${typeOf(input)}`;
  const always = inputs
    .filter(({ name }) => !oneOf.includes(name))
    .map((input) => member(input, !input.required && input.schema.default === undefined));
  if (oneOf.length === 0) return `{ ${always.join("; ")} }`;
  const choices = oneOf.map((chosen) => {
    const choice = inputs.filter(({ name }) => oneOf.includes(name));
    return `{ ${choice.map((input) => (input.name === chosen ? member(input, false) : `readonly ${input.name}?: never`)).join("; ")} }`;
  });
  return `{ ${always.join("; ")} } & (${choices.join(" | ")})`;
}

function typeOf(input: Input): string {
  if (input.kind === "address") return "ParsedAddress";
  if (input.kind === "addressOrEmpty") return 'ParsedAddress | ""';
  if (input.kind === "hash") return "Uint8Array";
  if (input.kind === "integer") return isNarrow(input) ? "number" : "bigint";
  return input.kind;
}
