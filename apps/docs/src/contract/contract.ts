/** The contract as the site reads it. Operations come from `@chain-query/openapi/operations`; the document itself is for the reference. */
import { readFileSync } from "node:fs";
import { type DocumentedExample, type Operation, operations, type Schema } from "@chain-query/openapi/operations";

/** A schema of the document, in which a reference stands for a named schema. */
export interface SchemaNode extends Omit<Schema, "properties" | "items" | "oneOf"> {
  $ref?: string;
  properties?: Readonly<Record<string, SchemaNode>>;
  items?: SchemaNode;
  oneOf?: readonly SchemaNode[];
}

/** The OpenAPI document, with the members that the site uses. */
export interface Contract {
  info: { title: string; summary: string; description: string; version: string; "x-decision"?: string };
  "x-decision"?: string;
  servers: readonly { url: string; variables?: Readonly<Record<string, { default: string }>> }[];
  security: readonly Readonly<Record<string, readonly string[]>>[];
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  components: {
    schemas: Readonly<Record<string, SchemaNode>>;
    /** By the names on the wire. */
    parameters: Readonly<Record<string, { "x-decision"?: string }>>;
    securitySchemes: Readonly<Record<string, unknown>>;
  };
}

/** Parses the document of the contract's package. */
export function readContract(): Contract {
  return JSON.parse(readFileSync(new URL(import.meta.resolve("@chain-query/openapi/openapi.json")), "utf8"));
}

/** Every documented pair of request and answer, in the order of the contract. */
export const documentedExamples: readonly DocumentedExample[] = operations.flatMap(({ examples }) => examples);

/**
 * The fragment under which Redoc shows an operation.
 *
 * @example
 * routeOf({ tag: "Blocks", id: "lookupBlock" }); // "#/blocks/lookupblock"
 */
export function routeOf({ tag, id }: Pick<Operation, "tag"> & { readonly id: string }): string {
  return `#/${tag}/${id}`.toLowerCase();
}

/** The URL of the first server, with the defaults of its variables. */
export function serverUrl({ servers }: Pick<Contract, "servers">): string {
  const { url = "", variables = {} } = servers[0] ?? {};
  return url.replace(/\{([^}]+)\}/g, (whole, name: string) => variables[name]?.default ?? whole);
}
