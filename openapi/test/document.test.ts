import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  at,
  bundle,
  contentSchema,
  examples,
  type Json,
  list,
  object,
  operationNamed,
  operations,
  problems,
  root,
  schemaName,
  schemas,
} from "./contract.ts";
import { type DocumentedField, documentedOperations, documentedResources, optionalMembers } from "./the-document.ts";

describe("the contract", () => {
  test("has the documented operations and no other", () => {
    expect(Object.keys(operations).sort()).toEqual(Object.keys(documentedOperations).sort());
  });

  test("is served under the address that the caller gives", () => {
    const [server, ...others] = list(bundle["servers"]).map((entry) => object(entry, "server"));
    expect(others).toEqual([]);
    expect(server?.["url"]).toBe("{base_url}");
    expect(Object.keys(object(server?.["variables"], "variables"))).toEqual(["base_url"]);
  });

  test("takes a key in the X-API-Key header, or none", () => {
    expect(bundle["security"]).toEqual([{ ApiKey: [] }, {}]);
    expect(at("components", "securitySchemes", "ApiKey")).toMatchObject({ type: "apiKey", in: "header", name: "X-API-Key" });
  });

  test("has the version of its package", () => {
    const packageJson: unknown = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
    expect(at("info", "version")).toBe(object(packageJson, "package.json")["version"]);
  });
});

describe.each(Object.entries(documentedOperations))("%s", (id, documented) => {
  const { method, path, operation } = operationNamed(id);
  const responses = object(operation["responses"], "responses");

  test("has the documented method and path", () => {
    expect({ method, path }).toEqual({ method: documented.method, path: documented.path });
  });

  test("leaves the choice of a key to the contract's own rule", () => {
    expect(operation).not.toHaveProperty("security");
  });

  test("takes the documented input", () => {
    expect(inputOf(operation)).toEqual(documented.input);
  });

  test("takes its input in the body of a POST or the query of a GET", () => {
    expect(operation["requestBody"] !== undefined).toBe(documented.method === "post");
    expect(list(operation["parameters"]).map((parameter) => object(parameter, "a parameter")["in"])).toEqual(
      documented.method === "post" ? [] : Object.keys(documented.input).map(() => "query"),
    );
  });

  test("answers the documented result in the envelope of a success", () => {
    const envelope = contentSchema(responses["200"]);
    const jsonRpc = id === "getTransactionsStd" ? { jsonrpc: "string", id: "string" } : {};
    expect(fieldsOf(envelope)).toEqual({ ok: "boolean", result: documented.result, "@extra": "string", ...jsonRpc });
    expect(envelope["required"]).toEqual(["ok", "result"]);
    expect(object(envelope["properties"], "properties")["ok"]).toMatchObject({ const: true, default: true });
  });

  test("answers every failure in the envelope of a failure", () => {
    const notFound = ["tryLocateSourceTx", "tryLocateResultTx", "lookupBlock"].includes(id) ? ["404"] : [];
    const failures = ["401", "403", ...notFound, "422", "429", "500", "504", "default"];
    expect(Object.keys(responses)).toEqual(["200", ...failures]);
    expect(failures.map((status) => schemaName(contentSchema(responses[status])))).toEqual(failures.map(() => "Failure"));
  });
});

describe("the body of a POST", () => {
  const posts = Object.entries(documentedOperations).filter(([, { method }]) => method === "post");

  test.each(posts.map(([id]) => id))("of %s may have no unknown member", (id) => {
    const schema = contentSchema(operationNamed(id).operation["requestBody"]);
    const bodies = examples.filter((example) => example.operationId === id).map(({ request }) => object(request.body, "body"));
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      expect(problems(schema, body)).toEqual([]);
      expect(problems(schema, { ...body, unknown: "" })).not.toEqual([]);
    }
  });
});

describe("lookupBlock", () => {
  const schema = contentSchema(operationNamed("lookupBlock").operation["requestBody"]);
  const place = { workchain: -1, shard: "-9223372036854775808" };

  test.each([{ seqno: 1 }, { seqno: "1" }, { lt: 0 }, { lt: "0" }, { unixtime: 0 }, { unixtime: "0" }])(
    "takes %j",
    (selector) => {
      expect(problems(schema, { ...place, ...selector })).toEqual([]);
    },
  );

  test.each([
    {},
    { seqno: 1, lt: "1" },
    { lt: 1, unixtime: 1 },
    { seqno: 1, lt: 1, unixtime: 1 },
    { seqno: 0 },
    { seqno: "0" },
  ])("refuses %j", (selectors) => {
    expect(problems(schema, { ...place, ...selectors })).not.toEqual([]);
  });
});

describe("getTransactionsStd", () => {
  const parameters = list(operationNamed("getTransactionsStd").operation["parameters"]).map((each) =>
    object(each, "an object"),
  );
  const schemaOf = (name: string) => object(parameters.find((parameter) => parameter["name"] === name)?.["schema"], name);

  test("takes a limit of 64 bits from 1 to 1000", () => {
    expect(schemaOf("limit")).toMatchObject({ format: "int64", minimum: 1, maximum: 1000 });
  });

  test.each(["0".repeat(64), "aB".repeat(32), `${"A".repeat(43)}=`, `${"-_".repeat(21)}A=`])("takes the hash %s", (hash) => {
    expect(problems(schemaOf("hash"), hash)).toEqual([]);
  });

  test.each(["", "0".repeat(63), "g".repeat(64), "A".repeat(43)])("refuses the hash %j", (hash) => {
    expect(problems(schemaOf("hash"), hash)).not.toEqual([]);
  });
});

describe.each(Object.entries(documentedResources))("%s", (name, documented) => {
  const schema = object(schemas[name], name);

  test("has the documented fields", () => {
    const { "@type": type, ...fields } = fieldsOf(schema);
    expect(type).toBe("string");
    expect(fields).toEqual(documented);
  });

  test("says its own name", () => {
    const type = object(object(schema["properties"], name)["@type"], "@type");
    if (name === "chain.blockIdExt") expect(problems(type, name)).toEqual([]);
    else expect(type["const"]).toBe(name);
  });

  test("always has every field but those that a decision lets it lack", () => {
    const expected = ["@type", ...Object.keys(documented)].filter((field) => !optionalMembers.includes(field));
    expect(list(schema["required"]).toSorted()).toEqual(expected.toSorted());
  });
});

describe("an answer", () => {
  test("is open to new members", () => {
    const closed = Object.entries(schemas).filter(([, schema]) => "additionalProperties" in object(schema, "schema"));
    const requests = Object.values(operations).flatMap(({ operation }) =>
      operation["requestBody"] === undefined ? [] : alternativeNames(contentSchema(operation["requestBody"])),
    );
    expect(closed.map(([name]) => name).sort()).toEqual([...new Set(requests)].sort());
  });

  test("describes a failure by its text and its number", () => {
    expect(fieldsOf(object(schemas["Failure"], "Failure"))).toEqual({
      ok: "boolean",
      error: "string",
      code: "integer",
      "@extra": "string",
    });
    expect(object(schemas["Failure"], "Failure")).toMatchObject({
      required: ["ok", "error", "code"],
      properties: { ok: { const: false } },
    });
  });
});

/** Query parameters or body members, in the words of the table. */
function inputOf(operation: Json): Record<string, DocumentedField> {
  const parameters = list(operation["parameters"]).map((parameter) => {
    const { name, required, schema } = object(parameter, "a parameter");
    return [String(name), field(schema, required === true)] as const;
  });
  const alternatives = operation["requestBody"] === undefined ? [] : alternativesOf(contentSchema(operation["requestBody"]));
  const members = alternatives.flatMap((alternative) =>
    Object.entries(object(alternative["properties"] ?? {}, "properties")).map(([name, schema]) => {
      const needed = alternatives.every((other) => list(other["required"]).includes(name));
      return [name, field(schema, needed)] as const;
    }),
  );
  return Object.fromEntries([...parameters, ...members]);
}

function field(schema: unknown, required: boolean): DocumentedField {
  const byDefault = object(schema, "a schema")["default"];
  return byDefault === undefined ? { type: typeOf(schema), required } : { type: typeOf(schema), required, default: byDefault };
}

function fieldsOf(schema: Json): Record<string, string> {
  const properties = Object.entries(object(schema["properties"], "properties"));
  return Object.fromEntries(properties.map(([name, property]) => [name, typeOf(property)]));
}

/** The type of a field in the words of the table: a JSON type, the name of a resource, or an array of one. */
function typeOf(schema: unknown): string {
  const { type, items, oneOf } = object(schema, "a schema");
  // The document knows one kind of content; the contract adds others to it by D-10.
  if (oneOf !== undefined) return list(oneOf).map(schemaName)[0] ?? "";
  if (type === "array") return `array of ${typeOf(items)}`;
  if (type === "object") return schemaName(schema);
  return [type].flat().join("|");
}

function alternativesOf(schema: unknown): Json[] {
  const target = object(schema, "a schema");
  return target["oneOf"] === undefined ? [target] : list(target["oneOf"]).map((each) => object(each, "an object"));
}

function alternativeNames(schema: unknown): string[] {
  const alternatives = object(schema, "a schema")["oneOf"];
  return alternatives === undefined ? [schemaName(schema)] : list(alternatives).map(schemaName);
}
