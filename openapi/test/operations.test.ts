import { readFileSync } from "node:fs";
import { operations, operationsById, schemas } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { dereference } from "../build/dereference.ts";
import { sourceOf } from "../build/module-source.ts";
import { operationsOf, rangeOf } from "../build/operations.ts";
import { bundle, examples, root } from "./contract.ts";

const remade = operationsOf(dereference(bundle));

describe("the module of operations", () => {
  test("holds the operations of the bundle, with every reference resolved", () => {
    expect(operations).toEqual(remade);
    expect(JSON.stringify(operations, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain("$ref");
    expect(Object.keys(operationsById)).toEqual(operations.map(({ id }) => id));
  });

  test("shares one object for each schema, so that it stays small", () => {
    expect(operationsById.lookupBlock.result).toBe(schemas["chain.blockIdExt"]);
    const size = readFileSync(new URL("dist/operations.js", root)).length;
    expect(size).toBeLessThan(120_000);
  });

  test("says where an operation is and what it needs", () => {
    const { method, path, tag, security, oneOf, decisions } = operationsById.lookupBlock;
    expect({ method, path, tag, security, oneOf }).toEqual({
      method: "POST",
      path: "/api/v2/lookupBlock",
      tag: "Blocks",
      security: [["ApiKey"], []],
      oneOf: ["seqno", "lt", "unixtime"],
    });
    expect(decisions).toContain("D-11");
  });

  test("says where each input goes, how it is read and which integers it takes", () => {
    const inputs = operations.flatMap(({ id, inputs }) =>
      inputs.map(({ name, in: place, required, kind, range }) => [
        `${id}.${name}`,
        `${place} ${kind}${required ? "" : "?"}${range === undefined ? "" : ` ${range.least}..${range.most}`}`,
      ]),
    );
    const lt = "0..9223372036854775807";
    expect(Object.fromEntries(inputs)).toEqual({
      "getAddressInformation.address": "body address",
      "getAddressInformation.seqno": "body integer? 1..4294967295",
      "getTransactionsStd.address": "query address",
      "getTransactionsStd.limit": "query integer? 1..1000",
      "getTransactionsStd.lt": `query integer? ${lt}`,
      "getTransactionsStd.hash": "query hash?",
      "getTransactionsStd.to_lt": `query integer? ${lt}`,
      "getTransactionsStd.archival": "query boolean?",
      "lookupBlock.workchain": "body integer -2147483648..2147483647",
      "lookupBlock.shard": "body integer -9223372036854775808..9223372036854775807",
      "lookupBlock.seqno": "body integer? 1..4294967295",
      "lookupBlock.lt": `body integer? ${lt}`,
      "lookupBlock.unixtime": "body integer? 0..4294967295",
      "tryLocateResultTx.source": "query address",
      "tryLocateResultTx.destination": "query address",
      "tryLocateResultTx.created_lt": `query integer ${lt}`,
      "tryLocateSourceTx.source": "body addressOrEmpty",
      "tryLocateSourceTx.destination": "body address",
      "tryLocateSourceTx.created_lt": `body integer ${lt}`,
    });
  });

  test("has the examples of examples.json", () => {
    expect(operations.flatMap((operation) => operation.examples)).toEqual(examples);
  });
});

describe("dereference", () => {
  const document = {
    components: { schemas: { Atom: { type: "string", pattern: "a" }, Pair: { items: { $ref: "#/components/schemas/Atom" } } } },
    first: { $ref: "#/components/schemas/Atom" },
    second: { $ref: "#/components/schemas/Atom", description: "its own" },
  };

  test("gives each target one object, and a copy where a description stands beside the reference", () => {
    const { document: read, nameOf } = dereference(document);
    const atom = (read as typeof document).components.schemas.Atom;
    expect(read["first"]).toBe(atom);
    expect(read["second"]).toEqual({ ...atom, description: "its own" });
    expect([read["first"], read["second"]].map((schema) => nameOf(schema as object))).toEqual(["Atom", "Atom"]);
  });

  test.for([
    ["a reference that leads nowhere", { a: { $ref: "#/b/c" } }, "#/b/c: expected an object in the bundle"],
    ["a reference to itself", { a: { b: { $ref: "#/a" } } }, "#/a contains itself"],
    ["a keyword beside a reference", { a: { $ref: "#/b", pattern: "x" }, b: {} }, "#/a: pattern stands beside a reference"],
  ] as const)("refuses %s", ([, wrong, message]) => {
    expect(() => dereference(wrong)).toThrow(message);
  });
});

describe("rangeOf", () => {
  test("reads bounds, or the digits of a pattern", () => {
    expect(rangeOf({ type: "integer", minimum: 1, maximum: 9 })).toEqual({ least: 1n, most: 9n });
    expect(rangeOf({ type: "string", pattern: "^[1-9][0-9]{0,9}$" })).toEqual({ least: 1n, most: 4294967295n });
    expect(rangeOf({ type: "string", pattern: "^a$" })).toBeUndefined();
  });

  test("refuses an integer without bounds and digits of another width", () => {
    expect(() => rangeOf({ type: "integer", minimum: 0 })).toThrow("expected two bounds or a pattern");
    expect(() => rangeOf({ type: "string", pattern: "^[1-9][0-9]{0,4}$" })).toThrow("expected the digits of 32 or 64 bits");
  });
});

test("a module's source declares a shared object once, before its use", () => {
  const shared = { text: "long enough to be worth a constant of its own" };
  const { declarations, expressions } = sourceOf([{ a: shared }, [shared, 5n]], () => "of.it");
  expect(declarations).toBe(`const $of_it = { "text": ${JSON.stringify(shared.text)} };`);
  expect(expressions).toEqual(['{ "a": $of_it }', "[$of_it, 5n]"]);
});
