/** The contract for tests: the bundle, and the same without references. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { dereference } from "../build/dereference.ts";
import type { DocumentedExample } from "../src/operation.ts";

/** Anything of the contract; every step into it is checked. */
export interface Json {
  [member: string]: unknown;
}

export const root: URL = new URL("../", import.meta.url);

export const bundle: Json = object(JSON.parse(readFileSync(new URL("dist/openapi.json", root), "utf8")), "the bundle");

export const examples: DocumentedExample[] = JSON.parse(readFileSync(new URL("dist/examples.json", root), "utf8"));

/** The bundle with every reference resolved. */
const document: Json = dereference(bundle);

export const schemas: Json = object(at("components", "schemas"), "components.schemas");

/** The operations by operationId. */
export const operations: Record<string, { method: string; path: string; operation: Json }> = Object.fromEntries(
  Object.entries(object(document["paths"], "paths")).flatMap(([path, item]) =>
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
  return keys.reduce<unknown>((node, key) => object(node, keys.join("."))[key], document);
}

/** The schema of the JSON content of a request body or a response. */
export function contentSchema(holder: unknown): Json {
  const content = object(object(holder, "a body")["content"], "content");
  return object(object(content["application/json"], "application/json")["schema"], "schema");
}

/** The name of a schema in the contract, such as `chain.blockIdExt`. */
export function schemaName(schema: unknown): string {
  return String(object(schema, "a schema")["title"]);
}

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  formats: { int32: true, int64: true },
  keywords: ["x-decision", "discriminator"],
});

/** The problems of a value, one text for each. */
export function problems(schema: Json, value: unknown): string[] {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
