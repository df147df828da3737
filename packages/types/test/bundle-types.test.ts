import { readFileSync } from "node:fs";
import { operations, schemas } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { typesOf, wireTypesOf } from "../bundle-types.ts";
import { breaksOf } from "../compatibility/breaks.ts";
import { documentationOf } from "../documentation.ts";

const bundle = readFileSync(new URL(import.meta.resolve("@chain-query/openapi/openapi.json")), "utf8");
const committed = readFileSync(new URL("../src/openapi.gen.ts", import.meta.url), "utf8");

const contract = (components: string) => `
openapi: 3.1.0
info: { title: Echo, version: 1.0.0 }
paths: {}
components: { schemas: { ${components} } }
`;
const object = (member: string) => `{ type: object, required: [it], properties: { it: ${member} } }`;

describe("named types", () => {
  test("are the committed ones", async () => {
    expect(committed).toContain(await typesOf(bundle, documentationOf(operations, schemas)));
  });

  test("and the types of openapi-typescript can be assigned to each other", async () => {
    const named = await typesOf(bundle);
    const wire = await wireTypesOf(bundle);
    expect(breaksOf(wire, named)).toEqual([]);
    expect(breaksOf(named, wire)).toEqual([]);
  });

  test("are named by the last word of a schema, and leave strings, numbers and booleans inline", async () => {
    const atoms = "Hash: { type: string }, Size: { type: [integer, string] }";
    const objects = `chain.block: ${object("{ $ref: '#/components/schemas/Hash' }")}, list: ${object("{ $ref: '#/components/schemas/Size' }")}`;
    const types = await typesOf(
      contract(`${atoms}, ${objects}, page: ${object("{ $ref: '#/components/schemas/chain.block' }")}`),
    );
    expect(types).toContain("export type Block = {\n    it: string;\n};");
    expect(types).toContain("export type List = {\n    it: number | string;\n};");
    expect(types).toContain("export type Page = {\n    it: Block;\n};");
    expect(types).toContain('"chain.block": Block;');
    expect(types).not.toContain("type Hash");
  });

  test("are refused where two schemas would have one", async () => {
    const twice = `raw.thing: ${object("{ type: string }")}, ext.thing: ${object("{ type: string }")}`;
    await expect(typesOf(contract(twice))).rejects.toThrow("ext.thing and raw.thing are both Thing");
  });

  test("complete the known values of an open list, and take others", async () => {
    const types = await typesOf(contract("State: { type: string, x-extensible-enum: [on, off] }"));
    expect(types).toContain('export type State = "on" | "off" | (string & {});');
  });

  test("have no header that must be there", () => {
    expect(committed).toMatch(/"Retry-After"\?: components\["headers"\]/);
    expect(committed).not.toMatch(/[^?]: components\["headers"\]/);
  });
});
