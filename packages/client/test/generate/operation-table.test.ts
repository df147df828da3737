import { readFileSync } from "node:fs";
import { type Input, operations, type Schema, schemas } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { operationTable } from "../../generate/operation-table.ts";

const read = (path: string): string => readFileSync(new URL(`../../src/${path}`, import.meta.url), "utf8");

function tableWith(name: string, schema: Schema): string {
  const input: Input = { name, in: "query", kind: "string", required: false, description: "", schema };
  return operationTable([{ id: "x", method: "GET", path: "/x", inputs: [input], oneOf: [] }], []);
}

describe("operationTable", () => {
  test("generates the committed file", () => {
    expect(operationTable(operations, Object.values(schemas))).toBe(read("operations/operations.gen.ts"));
  });

  test.for<[name: string, member: string, schema: Schema, message: string]>([
    ["a name in camelCase", "toLt", { type: "string" }, "x: toLt would be sent as to_lt"],
    ["a name with a digit", "block_2", { type: "string" }, "x: block_2 would be sent as block2"],
    ["a name in capitals", "A", { type: "string" }, "x: A would be sent as _a"],
    ["a list", "ids", { type: "array" }, "x: ids: the client takes strings, integers and booleans only"],
    ["an object", "a", { type: "object" }, "x: a: the client takes strings"],
    ["a number", "a", { type: "number" }, "x: a: the client takes strings"],
    ["a schema without a type", "a", {}, "x: a: the client takes strings"],
  ])("refuses %s as input", ([, member, schema, message]) => {
    expect(() => tableWith(member, schema)).toThrow(message);
  });
});
