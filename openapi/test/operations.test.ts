import { readFileSync } from "node:fs";
import { decisions, info, operations, operationsById, schemas } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { decisionsOf } from "../build/decisions.ts";
import { dereference, objectAt } from "../build/dereference.ts";
import { sourceOf } from "../build/module-source.ts";
import { infoOf, operationsOf, rangeOf } from "../build/operations.ts";
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
    expect(size).toBeLessThan(135_000);
  });

  test("has the method, path and security of an operation", () => {
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

describe("the decisions of the module", () => {
  test("equal the decisions of DECISIONS.md, each with its choice and its places", () => {
    expect(decisions).toEqual(decisionsOf(readFileSync(new URL("DECISIONS.md", root), "utf8"), bundle));
    expect(decisions.find(({ id }) => id === "D-02")?.title).toBe("@type of the other objects");
    expect(decisions.find(({ id }) => id === "D-23")).toEqual({
      id: "D-23",
      title: expect.any(String),
      chosen: 'The string "0".',
      places: [{ component: "raw.fullAccountState.balance" }],
    });
    const placesOf = (wanted: string) => decisions.find(({ id }) => id === wanted)?.places;
    expect(placesOf("D-12")).toEqual([{ operation: "lookupBlock" }]);
    expect(placesOf("D-15")).toEqual([{ operation: "getTransactionsStd" }]);
    expect(placesOf("D-31")).toEqual([{}]);
  });

  test("belong to an operation and to its inputs", () => {
    expect(operationsById.lookupBlock.decision).toBe("D-12");
    const decided = operationsById.getTransactionsStd.inputs.filter(({ decision }) => decision !== undefined);
    expect(decided.map(({ name, decision }) => [name, decision])).toEqual([
      ["limit", "D-15"],
      ["archival", "D-26"],
    ]);
  });

  test("name the decision that has no choice, and an unknown one", () => {
    expect(() => decisionsOf("## D-01 A\n\n- We chose: b.\n\n## D-02 C\n\n- Why: d.\n", {})).toThrow("DECISIONS.md, D-02");
    expect(() => decisionsOf("# Decisions\n", { "x-decision": "D-99" })).toThrow(
      "names D-99, which DECISIONS.md does not have",
    );
  });
});

test("info has the URL of the first server, with the defaults of its variables", () => {
  const described = { title: "T", version: "1.0.0", summary: "S", description: "D." };
  const servers = [{ url: "{base}/{other}", variables: { base: { default: "http://127.0.0.1:1" }, other: { default: "a" } } }];
  const docsUrl = "https://docs.test/";
  expect(infoOf({ info: described, servers, externalDocs: { url: docsUrl } })).toEqual({
    ...described,
    baseUrl: "http://127.0.0.1:1/a",
    docsUrl,
  });
  expect(info.baseUrl).toBe("http://127.0.0.1:4010");
  expect(operationsById.lookupBlock.docsUrl).toBe(`${info.docsUrl}reference/lookupBlock/`);
});

describe("operationsOf", () => {
  const string = { type: "string" };
  const content = (schema: object) => ({ content: { "application/json": { schema } } });
  const responses = { 200: { description: "", ...content({ properties: { result: string } }) } };
  const query = (schema: object, place = "query") => ({ parameters: [{ name: "a", in: place, schema }], responses });
  const body = (schema: object) => ({ requestBody: content(schema), responses });

  test.for<[what: string, item: object, message: string]>([
    ["another method", { put: {} }, "/a: expected get or post, got put"],
    ["parameters of a path", { parameters: [], get: {} }, "/a: expected get or post, got parameters"],
    ["a parameter of the path", { get: query(string, "path") }, "expected only parameters of the query, and headers, got path"],
    ["a POST with a query", { post: { ...query(string), ...body(string) } }, "post /a: a POST has no parameters of the query"],
    ["a GET with a body", { get: body({ type: "object" }) }, "a GET has no body"],
    ["a body of parts", { post: body({ allOf: [{ type: "object" }] }) }, "expected an object of inputs"],
    ["no success", { get: { responses: {} } }, "get /a: expected a 200 with a result"],
    [
      "alternatives that differ in two members",
      {
        post: body({
          oneOf: [
            { type: "object", required: ["a", "b"] },
            { type: "object", required: ["c"] },
          ],
        }),
      },
      "expected alternatives that differ in one required member each",
    ],
  ])("refuses %s", ([, item, message]) => {
    expect(() => operationsOf({ security: [], paths: { "/a": item } })).toThrow(message);
  });
});

describe("dereference", () => {
  const document = {
    components: { schemas: { Atom: { type: "string", pattern: "a" }, Pair: { items: { $ref: "#/components/schemas/Atom" } } } },
    first: { $ref: "#/components/schemas/Atom" },
    second: { $ref: "#/components/schemas/Atom", description: "its own" },
  };

  test("gives each target one object, and a copy if a description is beside the reference", () => {
    const read = dereference(document);
    const { Atom, Pair } = objectAt(objectAt(read["components"], "")["schemas"], "");
    expect(Atom).toEqual({ title: "Atom", type: "string", pattern: "a" });
    expect(objectAt(Pair, "")["items"]).toBe(Atom);
    expect(read["first"]).toBe(Atom);
    expect(read["second"]).toEqual({ ...objectAt(Atom, ""), description: "its own" });
  });

  test.for([
    ["a reference that leads nowhere", { a: { $ref: "#/b/c" } }, "#/b/c: expected an object in the bundle"],
    ["a reference to itself", { a: { b: { $ref: "#/a" } } }, "#/a contains itself"],
    [
      "a keyword beside a reference",
      { a: { $ref: "#/b", pattern: "x" }, b: {} },
      "#/a: expected only description, summary, x-decision beside $ref, got pattern",
    ],
  ] as const)("refuses %s", ([, wrong, message]) => {
    expect(() => dereference(wrong)).toThrow(message);
  });
});

describe("rangeOf", () => {
  const text = { type: "string", format: "int64" } as const;

  test("reads the bounds of an integer or a decimal string", () => {
    expect(rangeOf({ type: "integer", minimum: 1, maximum: 9 })).toEqual({ least: 1n, most: 9n });
    const bounds = { "x-minimum": "-1", "x-maximum": "9223372036854775807" };
    expect(rangeOf({ ...text, ...bounds })).toEqual({ least: -1n, most: 9223372036854775807n });
    expect(rangeOf({ type: "string", pattern: "^a$" })).toBeUndefined();
  });

  test.for([
    { type: "integer", minimum: 0 },
    { ...text, "x-minimum": "0" },
  ] as const)("refuses %j", (schema) => {
    expect(() => rangeOf(schema)).toThrow("needs two bounds");
  });
});

test("a module's source declares a shared object once, before its use", () => {
  const shared = { title: "of.it", text: "long enough to be worth a constant of its own" };
  const { declarations, expressions } = sourceOf([{ a: shared }, [shared, 5n]]);
  expect(declarations).toBe(`const $of_it = { "title": "of.it", "text": ${JSON.stringify(shared.text)} };`);
  expect(expressions).toEqual(['{ "a": $of_it }', "[$of_it, 5n]"]);
});
