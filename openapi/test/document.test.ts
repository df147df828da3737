import { readFileSync } from "node:fs";
import { info, type Operation, operations, operationsById, type Schema, schemas } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { at, bundle, type Json, list, object, problems, root } from "./contract.ts";
import { type DocumentedField, documentedOperations, documentedResources, optionalMembers } from "./source-document.ts";

describe("the contract", () => {
  test("has the documented operations and no other", () => {
    expect(Object.keys(operationsById).sort()).toEqual(Object.keys(documentedOperations).sort());
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

  test("says response, as HTTP does, and not answer", () => {
    expect(JSON.stringify(bundle)).not.toMatch(/answer/i);
  });

  test("repeats each const of text as an enum in the bundle, for generators that tell objects apart by it", () => {
    const constants: Json[] = [];
    JSON.stringify(at("components", "schemas"), (_, value) => {
      if (typeof value === "object" && value !== null && "const" in value) constants.push(value);
      return value;
    });
    expect(constants.length).toBeGreaterThan(20);
    for (const { const: constant, enum: values } of constants)
      expect(values).toEqual(typeof constant === "string" ? [constant] : undefined);
  });

  test("bounds each integer of 64 bits that is text, by more than the number of its digits", () => {
    const texts: Json[] = [];
    JSON.stringify(bundle, (_, value) => {
      if (typeof value === "object" && value?.type === "string" && value.format === "int64") texts.push(value);
      return value;
    });
    expect(texts.length).toBeGreaterThan(5);
    const bounded = { "x-minimum": expect.stringMatching(/^-?\d+$/), "x-maximum": expect.stringMatching(/^\d+$/) };
    for (const text of texts) expect(text).toMatchObject(bounded);
  });

  test("has the version of its package", () => {
    const packageJson: unknown = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
    expect(info.version).toBe(object(packageJson, "package.json")["version"]);
  });
});

describe.each(operations)("$id", (operation) => {
  const { id, method, path, security, inputs, envelope, responses } = operation;
  const documented = documentedOperations[id];

  test("has the documented method and path", () => {
    expect({ method: method.toLowerCase(), path }).toMatchObject({ method: documented?.method, path: documented?.path });
  });

  test("takes a key or none, by the contract's own rule", () => {
    expect(security).toEqual([["ApiKey"], []]);
    expect(at("paths", path, method.toLowerCase())).not.toHaveProperty("security");
  });

  test("takes the documented input", () => {
    expect(Object.fromEntries(inputs.map(({ name, schema, required }) => [name, field(schema, required)]))).toEqual(
      documented?.input,
    );
  });

  test("takes its input in the body of a POST or the query of a GET", () => {
    expect(inputs.map((input) => input.in)).toEqual(inputs.map(() => (method === "POST" ? "body" : "query")));
  });

  test("responds with the documented result in the envelope of a success", () => {
    const jsonRpc = id === "getTransactionsStd" ? { jsonrpc: "string", id: "string" } : {};
    const optional = { proof: "Proof", "@extra": "string", ...jsonRpc };
    expect(fieldsOf(envelope)).toEqual({ ok: "boolean", result: documented?.result, ...optional });
    expect(envelope.required).toEqual(["ok", "result"]);
    expect(envelope.properties?.["ok"]).toMatchObject({ const: true, default: true });
  });

  test("responds with every failure in the envelope of a failure", () => {
    const notFound = ["tryLocateSourceTx", "tryLocateResultTx", "lookupBlock"].includes(id) ? ["404"] : [];
    const failures = ["401", "403", ...notFound, "422", "429", "500", "504", "default"];
    expect(responses.map(({ status }) => status)).toEqual(["200", ...failures]);
    expect(responses.slice(1).map(({ schema }) => schema.title)).toEqual(failures.map(() => "Failure"));
  });
});

describe("a header", () => {
  const parts = operations.map(({ path, method }) => object(at("paths", path, method.toLowerCase()), path));

  test("of a request is optional and no input", () => {
    for (const { parameters } of parts) {
      const headers = list(parameters).map((one) => object(one, "parameter")["$ref"]);
      expect(headers).toEqual(
        expect.arrayContaining(["chain-min-head", "Prefer"].map((name) => `#/components/parameters/${name}`)),
      );
    }
    const declared = Object.values(object(at("components", "parameters"), "parameters"));
    expect(declared.map((one) => object(one, "parameter"))).toEqual(
      ["chain-min-head", "Prefer", "If-None-Match"].map((name) =>
        expect.objectContaining({ name, in: "header", required: false }),
      ),
    );
  });

  test("that the service sends is declared", () => {
    const always = ["X-Request-Id", "Cache-Control", "RateLimit", "RateLimit-Policy", "Access-Control-Allow-Origin"];
    for (const { responses } of operations) {
      for (const { status, headers } of responses) {
        const own = { 429: ["Retry-After"], default: ["Retry-After", "Allow"] }[status] ?? [];
        expect(Object.keys(headers)).toEqual(
          expect.arrayContaining([...always, "Access-Control-Expose-Headers", "chain-head", ...own]),
        );
      }
    }
  });

  test("lets a GET that never changes be stored", () => {
    const stored = parts.filter(({ responses }) => "304" in object(responses, "responses"));
    expect(stored.map(({ operationId }) => operationId)).toEqual(["getTransactionsStd", "tryLocateResultTx"]);
  });
});

test.each(operations.filter(({ method }) => method === "POST"))(
  "the body of a POST of $id may have no unknown member",
  ({ request, examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const { request: example } of examples) {
      expect(problems(request, example.body)).toEqual([]);
      expect(problems(request, { ...example.body, unknown: "" })).not.toEqual([]);
    }
  },
);

describe("lookupBlock", () => {
  const schema = operationsById.lookupBlock.request;
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
  const schemaOf = (name: string): Schema => operationsById.getTransactionsStd.request.properties?.[name] ?? {};

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
  const schema = schemas[name] ?? {};

  test("has the documented fields", () => {
    const { "@type": type, ...fields } = fieldsOf(schema);
    expect(type).toBe("string");
    expect(fields).toEqual(documented);
  });

  test("says its own name", () => {
    const type = schema.properties?.["@type"] ?? {};
    if (name === "chain.blockIdExt") expect(problems(type, name)).toEqual([]);
    else expect(type.const).toBe(name);
  });

  test("has every field, except the fields that a decision makes optional", () => {
    const expected = ["@type", ...Object.keys(documented)].filter((field) => !optionalMembers.includes(field));
    expect((schema.required ?? []).toSorted()).toEqual(expected.toSorted());
  });
});

describe("an envelope", () => {
  test("is open to new members", () => {
    const closed = Object.entries(schemas).filter(([, schema]) => schema.additionalProperties === false);
    const bodies = operations.filter(({ method }) => method === "POST").flatMap(alternativesOf);
    expect(closed.map(([name]) => name).sort()).toEqual([...new Set(bodies.map(({ title }) => title))].sort());
  });

  test("describes a failure by its text and its number, its reason and its input", () => {
    const failure = schemas["Failure"] ?? {};
    const texts = { error: "string", reason: "string", input: "string", "@extra": "string" };
    expect(fieldsOf(failure)).toEqual({ ok: "boolean", code: "integer", ...texts });
    expect(failure).toMatchObject({ required: ["ok", "error", "code"], properties: { ok: { const: false } } });
  });
});

function field(schema: Schema, required: boolean): DocumentedField {
  const { default: byDefault } = schema;
  return byDefault === undefined ? { type: typeOf(schema), required } : { type: typeOf(schema), required, default: byDefault };
}

function fieldsOf({ properties = {} }: Schema): Record<string, string> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, typeOf(property)]));
}

/** The type of a field in the words of the table: a JSON type, the name of a resource, or an array of one. */
function typeOf({ type, items, oneOf, title = "" }: Schema): string {
  // The document knows one kind of content; the contract adds others to it by D-10.
  if (oneOf !== undefined) return oneOf[0]?.title ?? "";
  if (items !== undefined) return `array of ${typeOf(items)}`;
  if (type === "object") return title;
  return [type].flat().join("|");
}

function alternativesOf({ request }: Operation): readonly Schema[] {
  return request.oneOf ?? [request];
}
