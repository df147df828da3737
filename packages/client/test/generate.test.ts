import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Input, Schema } from "@chain-query/openapi/operations";
import { temporaryFolder } from "@chain-query/testing/folders";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { operationTable } from "../generate/operation-table.ts";
import { responseRules } from "../generate/response-rules.ts";
import type { Rule } from "../src/validate/rules.ts";

function sourceOf(schema: object): string {
  const failures = { status: "default", schema: {} };
  return responseRules([{ id: "x", responses: [{ status: "200", schema: schema as Schema }, failures] }]);
}

async function ruleOf(schema: object): Promise<Rule> {
  const rules = new URL("../src/validate/rules.ts", import.meta.url).pathname;
  const file = join(temporaryFolder(), "responses.ts");
  writeFileSync(file, sourceOf(schema).replace('"./rules.ts"', JSON.stringify(rules)));
  const { responses } = (await import(/* @vite-ignore */ file)) as { responses: { x: { success: Rule } } };
  return responses.x.success;
}

const scalars = [null, true, 0, 1, 2, 2.5, 10, 11, "", "a", "ab", "abc", "😀"];
const values = [...scalars, [], ["a"], ["a", "b"], ["a", "b", "c"], [1], {}, { a: 1 }];

describe("responseRules", () => {
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
  ])("compiles %j to a rule that agrees with Ajv", async (schema) => {
    const rule = await ruleOf(schema);
    const isValid = new Ajv2020({ strict: false }).compile(schema);
    expect(values.filter((value) => rule(value).length === 0)).toEqual(values.filter((value) => isValid(value)));
  });

  test("writes a schema with a name once, before its uses", async () => {
    const leaf = { title: "a.leaf", type: "integer" };
    const branch = { type: "object", properties: { left: leaf, right: { ...leaf, description: "the other" } } };
    expect(sourceOf(branch).match(/const \$a_leaf: Rule = rules\.type\("integer"\);/g)).toHaveLength(1);
    const rule = await ruleOf(branch);
    expect(rule({ left: 1, right: "2" })).toEqual([[".right", 'expected integer, got "2"']]);
  });

  test("rejects a keyword without a rule, and names the place", () => {
    const schema = { type: "object", properties: { list: { type: "array", uniqueItems: true } } };
    expect(() => sourceOf(schema)).toThrow(/^x\.list: no rule for uniqueItems/);
    expect(() => sourceOf({ const: {} })).toThrow(/^x: const with an object/);
  });
});

function tableWith(name: string, schema: Schema): string {
  const input: Input = { name, in: "query", kind: "string", required: false, description: "", schema };
  return operationTable([{ id: "x", method: "GET", path: "/x", inputs: [input], oneOf: [] }], []);
}

describe("operationTable", () => {
  test.for<[name: string, member: string, schema: Schema, message: string]>([
    ["a name in camelCase", "toLt", { type: "string" }, "x: toLt would be sent as to_lt"],
    ["a name with a digit", "block_2", { type: "string" }, "x: block_2 would be sent as block2"],
    ["a name in capitals", "A", { type: "string" }, "x: A would be sent as _a"],
    ["a list", "ids", { type: "array" }, "x: ids: the client takes strings, integers and booleans only"],
    ["an object", "a", { type: "object" }, "x: a: the client takes strings"],
    ["a number", "a", { type: "number" }, "x: a: the client takes strings"],
    ["a schema without a type", "a", {}, "x: a: the client takes strings"],
  ])("rejects %s as input", ([, member, schema, message]) => {
    expect(() => tableWith(member, schema)).toThrow(message);
  });
});
