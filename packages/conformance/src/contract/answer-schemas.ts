/** The contract's own schemas, compiled. Nothing here knows what the schemas say. */
import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { has, isObject, type JsonObject, pointerOf, segmentsOf, valueAt } from "../json.ts";

/** Validates a value; returns what is wrong with it. */
export type Check = (value: unknown) => ErrorObject[];

/** The checks of one operation's answers. */
export interface OperationChecks {
  readonly envelope: Check;
  readonly result: Check;
}

const document = withObjectsToldApart(bundle);
const places = new WeakMap<object, string>();
notePlaces(document["components"], ["components"]);

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  discriminator: true,
  formats: {
    int32: { type: "number", validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31 },
    int64: { type: "number", validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63 },
  },
});
ajv.addVocabulary(["x-decision", "components", "paths"]);
ajv.addSchema({ components: document["components"], paths: document["paths"] }, "contract");

/** Checks of the answers of each operation, by operationId. */
export const operationChecks: ReadonlyMap<string, OperationChecks> = new Map(operations());

/** Checks an answer that says `ok: false`, of any operation. */
export const checkFailure: Check = checkAt(["components", "schemas", "Failure"]);

/** Checks an end of a message that is written as text. */
export const checkAddressOrEmpty: Check = checkAt(["components", "schemas", "AddressOrEmpty"]);

/** Where in the contract an error's schema stands, such as `#/components/schemas/UnixTime/type`. */
export function placeOf(error: ErrorObject): string {
  const place = isObject(error.parentSchema) ? places.get(error.parentSchema) : undefined;
  return place === undefined ? error.schemaPath : `#${place}/${error.keyword}`;
}

/** The part of the contract that `$ref`s lead to. */
export function resolved(schema: unknown): unknown {
  return has(schema, "$ref") ? resolved(valueAt(document, segmentsOf(String(schema["$ref"])))) : schema;
}

function* operations(): Generator<[string, OperationChecks]> {
  for (const [path, methods] of Object.entries(document["paths"] ?? {})) {
    if (!isObject(methods)) continue;
    for (const [method, operation] of Object.entries(methods)) {
      if (!has(operation, "operationId")) continue;
      const answer = ["paths", path, method, "responses", "200", "content", "application/json", "schema"];
      const envelope = resolvedPlace(answer);
      const checks = { envelope: checkAt(envelope), result: checkAt([...envelope, "properties", "result"]) };
      yield [String(operation["operationId"]), checks];
    }
  }
}

/** Follows references, so that a member of the schema can be pointed to. */
function resolvedPlace(segments: string[]): string[] {
  const schema = valueAt(document, segments);
  return has(schema, "$ref") ? resolvedPlace(segmentsOf(String(schema["$ref"]))) : segments;
}

/** Compiles the schema at a place of the contract. */
export function checkAt(segments: readonly string[]): Check {
  const fragment = pointerOf(segments).split("/").map(encodeURIComponent).join("/");
  const validate: ValidateFunction = ajv.compile({ $ref: `contract#${fragment}` });
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

/** Only an object has a discriminating member, but Ajv passes anything else unless the schema says so too. */
function withObjectsToldApart(value: unknown): JsonObject {
  const copy = JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    has(part, "discriminator") && has(part, "oneOf") ? { type: "object", ...part } : part,
  );
  return isObject(copy) ? copy : {};
}

function notePlaces(part: unknown, segments: readonly string[]): void {
  if (typeof part !== "object" || part === null) return;
  places.set(part, pointerOf(segments));
  for (const [member, child] of Object.entries(part)) notePlaces(child, [...segments, member]);
}
