/**
 * The schemas of the contract, compiled by Ajv. Responses are validated by the bundle, whose `$ref`s Ajv resolves, so that an error
 * can name the place in the contract; requests by the dereferenced schemas.
 */
import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };
import { type Operation, operations, operationsById, type Schema, schemas } from "@chain-query/openapi/operations";
import { Ajv2020, type ErrorObject, type Options } from "ajv/dist/2020.js";
import { has, isObject, pointerOf } from "../json.ts";

/** Validates a value and returns the errors: all of them, or those in the first `mostItems` items of each array. */
export type Validate = (value: unknown, mostItems?: number) => ErrorObject[];

const contract = { components: { schemas: withDiscriminatedObjects(bundle.components.schemas) } };
const places = new WeakMap<object, string>();
notePlaces(contract, []);

const isInt = (bits: number) => (value: number) =>
  Number.isInteger(value) && value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1);
const options = {
  verbose: true,
  allowUnionTypes: true,
  discriminator: true,
  formats: { int32: { type: "number", validate: isInt(32) }, int64: { type: "number", validate: isInt(64) } },
} satisfies Options;
const collecting = new Ajv2020({ ...options, allErrors: true });
const stopping = new Ajv2020(options);
for (const ajv of [collecting, stopping]) {
  ajv.addVocabulary(["x-decision", "x-extensible-enum", "x-kind", "x-minimum", "x-maximum", "components"]);
  ajv.addSchema(contract, "contract");
}

/** The validators of each operation's responses, by operationId. */
export const responseValidators: ReadonlyMap<string, { readonly envelope: Validate; readonly result: Validate }> = new Map(
  operations.map(({ id, envelope, result }) => [
    id,
    { envelope: validatorOf(nameOf(envelope)), result: validatorOf(nameOf(result)) },
  ]),
);

/** Validates a response with `ok: false`, of any operation. */
export const validateFailure: Validate = validatorOf("Failure");

/** Validates the source or destination of a message as text. */
export const validateAddressOrEmpty: Validate = validatorOf("AddressOrEmpty");

/** The place in the contract that an error belongs to, such as `#/components/schemas/UnixTime/type`. */
export function placeOf(error: ErrorObject): string {
  const place = isObject(error.parentSchema) ? places.get(error.parentSchema) : undefined;
  return place === undefined ? error.schemaPath : `#${place}/${error.keyword}`;
}

/** Whether the schemas of an operation allow a query or body; decisions may still forbid it. */
export function allowsInput(id: Operation["id"], input: unknown): boolean {
  const { method, inputs, request } = operationsById[id];
  const validate = stopping.compile(request);
  if (method !== "GET") return validate(input);
  // Unknown parameters of a query are ignored, and its texts stand for numbers and booleans.
  const known = inputs
    .filter(({ name }) => has(input, name))
    .map(({ name, schema }) => [name, parsedText(input, name, schema)]);
  return validate(Object.fromEntries(known));
}

function parsedText(input: unknown, name: string, { type }: Schema): unknown {
  const text = has(input, name) ? String(input[name]) : "";
  if (type === "integer" && /^-?\d+$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function validatorOf(name: string): Validate {
  const schema = { $ref: `contract#/components/schemas/${encodeURIComponent(name)}` };
  return (value, mostItems = Number.POSITIVE_INFINITY) => {
    // Ajv compiles a schema object once.
    const validate = stopping.compile(schema);
    if (validate(value)) return [];
    const findErrors = collecting.compile(schema);
    return findErrors(firstItems(value, mostItems)) ? (validate.errors ?? []) : (findErrors.errors ?? []);
  };
}

function firstItems(value: unknown, most: number): unknown {
  if (most === Number.POSITIVE_INFINITY || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, most).map((item) => firstItems(item, most));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, firstItems(member, most)]));
}

function nameOf(schema: Schema): string {
  const entry = Object.entries(schemas).find(([, one]) => one === schema);
  if (entry === undefined) throw new Error("a response of the contract has no schema of its own");
  return entry[0];
}

/** Adds `type: object` beside each discriminator, since Ajv ignores a discriminator for values of other types. */
function withDiscriminatedObjects(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    has(part, "discriminator") ? { type: "object", ...part } : part,
  );
}

function notePlaces(part: unknown, segments: readonly string[]): void {
  if (typeof part !== "object" || part === null) return;
  places.set(part, pointerOf(segments));
  for (const [member, child] of Object.entries(part)) notePlaces(child, [...segments, member]);
}
