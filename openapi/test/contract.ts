/** Data of several tests: the bundle, the examples, and Ajv as the validator of values. */
import { readFileSync } from "node:fs";
import type { Schema } from "@chain-query/openapi/operations";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { DocumentedExample } from "../src/operation.ts";

/** An object of a document; every step into it is checked. */
export interface Json {
  [member: string]: unknown;
}

export const root: URL = new URL("../", import.meta.url);

export const bundle: Json = object(JSON.parse(readFileSync(new URL("dist/openapi.json", root), "utf8")), "the bundle");

export const examples: DocumentedExample[] = JSON.parse(readFileSync(new URL("dist/examples.json", root), "utf8"));

export function object(value: unknown, what: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${what}: expected an object`);
  return value as Json;
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A member of the bundle, by its path. */
export function at(...keys: string[]): unknown {
  return keys.reduce<unknown>((node, key) => object(node, keys.join("."))[key], bundle);
}

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  formats: { int32: true, int64: true },
  keywords: ["x-decision", "x-extensible-enum", "x-kind", "x-minimum", "x-maximum", "discriminator"],
});

/** The problems of a value, one text for each. */
export function problems(schema: Schema, value: unknown): string[] {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
