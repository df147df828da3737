import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { Rule } from "../src/validate/rules.ts";
import { validatorsSource } from "../validators-source.ts";

/** A contract of one operation. */
function contract(schema: object, schemas: object = {}): object {
  const content = { "application/json": { schema } };
  return {
    paths: { "/x": { get: { operationId: "x", responses: { 200: { content }, 400: { content } } } } },
    components: { schemas },
  };
}

async function ruleOf(document: object): Promise<Rule> {
  const folder = mkdtempSync(join(tmpdir(), "validators-"));
  try {
    const rules = new URL("../src/validate/rules.ts", import.meta.url).pathname;
    const file = join(folder, "answers.ts");
    writeFileSync(file, validatorsSource(document).replace('"./rules.ts"', JSON.stringify(rules)));
    const { answers } = (await import(/* @vite-ignore */ file)) as { answers: { x: { success: Rule } } };
    return answers.x.success;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const values = [
  null,
  true,
  0,
  1,
  2,
  2.5,
  10,
  11,
  "",
  "a",
  "ab",
  "abc",
  "😀",
  [],
  ["a"],
  ["a", "b"],
  ["a", "b", "c"],
  [1],
  {},
  { a: 1 },
];

describe("validatorsSource", () => {
  test("writes what is committed", () => {
    const committed = readFileSync(new URL("../src/validate/answers.gen.ts", import.meta.url), "utf8");
    expect(validatorsSource(bundle)).toBe(committed);
  });

  test.for<object>([
    { type: "string", minLength: 1, maxLength: 2 },
    { minLength: 2 },
    { type: ["integer", "null"] },
    { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 11 },
    { minimum: 2, maximum: 10 },
    { enum: ["a", 1, null] },
    { const: "ab" },
    { pattern: "^a/?" },
    { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 },
    { required: ["a"] },
    { properties: { a: { type: "string" } } },
    { allOf: [{ type: "string" }, { minLength: 2 }] },
    { anyOf: [{ type: "string" }, { minimum: 2 }] },
    { oneOf: [{ type: "integer" }, { type: "number" }] },
    {},
  ])("compiles %j to a rule that judges as Ajv does", async (schema) => {
    const rule = await ruleOf(contract(schema));
    const judge = new Ajv2020({ strict: false }).compile(schema);
    expect(values.filter((value) => rule(value).length === 0)).toEqual(values.filter((value) => judge(value)));
  });

  test("compiles a schema that refers to itself", async () => {
    const tree = { type: "object", properties: { left: { $ref: "#/components/schemas/a.tree" } }, required: ["size"] };
    const rule = await ruleOf(contract({ $ref: "#/components/schemas/a.tree" }, { "a.tree": tree }));
    expect(rule({ size: 1, left: { size: 1 } })).toEqual([]);
    expect(rule({ size: 1, left: { left: 5 } })).toEqual([
      [".left.left", "expected object, got 5"],
      [".left.size", "expected a value, got nothing"],
    ]);
  });

  test("refuses a keyword without a rule, and names the place", () => {
    const schema = { type: "object", properties: { list: { type: "array", uniqueItems: true } } };
    expect(() => validatorsSource(contract(schema))).toThrow(/^x\.list: no rule for uniqueItems/);
    expect(() => validatorsSource(contract({ const: {} }))).toThrow(/^x: const with an object/);
  });
});
