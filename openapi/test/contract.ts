/** The contract as the tests look at it: the bundle that others read, and ways to walk it. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { DocumentedExample } from "../src/operation.ts";

/** Anything of the contract; every step into it is checked. */
export interface Json {
  [member: string]: unknown;
}

export const root: URL = new URL("../", import.meta.url);

export const bundle: Json = object(JSON.parse(readFileSync(new URL("dist/openapi.json", root), "utf8")), "the bundle");

export const examples: DocumentedExample[] = JSON.parse(readFileSync(new URL("dist/examples.json", root), "utf8"));

export const schemas: Json = object(at("components", "schemas"), "components.schemas");

/** The operations of the bundle by operationId. */
export const operations: Record<string, { method: string; path: string; operation: Json }> = Object.fromEntries(
  Object.entries(object(bundle["paths"], "paths")).flatMap(([path, item]) =>
    Object.entries(object(item, path)).map(([method, value]) => {
      const operation = object(value, path);
      return [String(operation["operationId"]), { method, path, operation }];
    }),
  ),
);

export function operationNamed(id: string): { method: string; path: string; operation: Json } {
  const found = operations[id];
  if (found === undefined) throw new Error(`the contract has no operation ${id}`);
  return found;
}

export function object(value: unknown, what: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${what}: no object`);
  return value as Json;
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function at(...keys: string[]): unknown {
  return keys.reduce<unknown>((node, key) => object(node, keys.join("."))[key], bundle);
}

/** The object itself, or the one that its `$ref` names. */
export function resolved(value: unknown): Json {
  const node = object(value, "a reference or an object");
  const reference = node["$ref"];
  return typeof reference === "string" ? resolved(at(...reference.replace("#/", "").split("/"))) : node;
}

/** The schema of the JSON content of a request body or a response. */
export function contentSchema(holder: unknown): Json {
  return object(
    object(object(resolved(holder)["content"], "content")["application/json"], "application/json")["schema"],
    "schema",
  );
}

/** The last word of the schema's reference, such as `chain.blockIdExt`. */
export function referenceName(schema: unknown): string {
  return String(object(schema, "a schema")["$ref"]).replace("#/components/schemas/", "");
}

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  formats: { int32: true, int64: true },
  keywords: ["x-decision", "discriminator"],
});
ajv.addSchema({ $id: "contract", $defs: forAjv(schemas) });

/** What is wrong with a value, one text for each problem; nothing where the schema accepts it. */
export function problems(schema: Json, value: unknown): string[] {
  const validate = ajv.compile(forAjv(schema));
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** Ajv has no word for `components`, in whose place JSON Schema says `$defs`. */
function forAjv(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"contract#/$defs/'));
}
