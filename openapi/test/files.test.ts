import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { operationsById } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { at, examples, type Json, object, root } from "./contract.ts";

const kinds = ["schemas", "responses", "examples", "securitySchemes"];
const paths = yamlFiles("paths");
const components = kinds.flatMap((kind) => yamlFiles(`components/${kind}`));
const sources = ["openapi.yaml", ...paths, ...components];
const responses = yamlFiles("components/examples").filter((file) => !file.endsWith(".request.yaml"));
const requests = yamlFiles("components/examples").filter((file) => file.endsWith(".request.yaml"));

describe("a source file", () => {
  test.each([
    { files: ["openapi.yaml"], limit: 100 },
    { files: paths, limit: 130 },
    { files: yamlFiles("components/schemas"), limit: 60 },
    { files: yamlFiles("components/responses"), limit: 60 },
  ])("fits on a screen: $limit lines", ({ files, limit }) => {
    expect(files.filter((file) => read(file).split("\n").length - 1 > limit)).toEqual([]);
  });

  test("of an operation is named by its operationId", () => {
    const named = paths.map((file) => [file, operationsIn(file).map(({ operationId }) => operationId)]);
    expect(named).toEqual(paths.map((file) => [file, [name(file)]]));
    expect(paths.map(name).toSorted()).toEqual(Object.keys(operationsById).sort());
  });

  test("becomes the component of its name, and none is left over", () => {
    for (const kind of kinds) {
      const inBundle = Object.keys(object(at("components", kind), kind)).sort();
      expect(yamlFiles(`components/${kind}`).map(name).toSorted(), kind).toEqual(inBundle);
    }
  });

  test("is in a folder of the contract", () => {
    expect(readdirSync(new URL("components", root)).toSorted()).toEqual(kinds.toSorted());
  });

  test.each(kinds)("has a name that differs from others by more than case: %s", (kind) => {
    const names = yamlFiles(`components/${kind}`).map(name);
    expect(new Set(names.map((each) => each.toLowerCase())).size).toBe(names.length);
  });

  test("describes things in sentences, beside a reference too", () => {
    const unfinished = sources.flatMap((file) =>
      descriptionsIn(parse(read(file)))
        .filter((text) => !/^[A-Z][\s\S]*\.$/.test(text.trim()))
        .map((text) => `${file}: ${text}`),
    );
    expect(unfinished).toEqual([]);
  });
});

test("a decision has a description beside it, which a reference alone lacks", () => {
  expect(sources.flatMap((file) => decisionsWithoutTextIn(parse(read(file))).map((id) => `${file}: ${id}`))).toEqual([]);
});

describe("an operation", () => {
  const order = [
    "operationId",
    "tags",
    "summary",
    "description",
    "x-decision",
    "x-together",
    "parameters",
    "requestBody",
    "responses",
  ];

  test.each(paths)("keeps its keys in order: %s", (file) => {
    for (const operation of operationsIn(file)) {
      expect(Object.keys(operation)).toEqual(order.filter((key) => key in operation));
    }
  });
});

describe("a schema", () => {
  const order = ["description", "type", "required", "properties"];

  test.each(yamlFiles("components/schemas"))("keeps its keys in order: %s", (file) => {
    const keys = Object.keys(object(parse(read(file)), file)).filter((key) => order.includes(key));
    expect(keys).toEqual(order.filter((key) => keys.includes(key)));
    expect(keys[0]).toBe("description");
  });
});

describe("an example", () => {
  test.each([...responses, ...requests])("is named by its operation and its condition: %s", (file) => {
    const [operationId = "", condition, request, ...others] = name(file).split(".");
    expect(Object.keys(operationsById)).toContain(operationId);
    expect(condition).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(request).toBe(requests.includes(file) ? "request" : undefined);
    expect(others).toEqual([]);
  });

  test("of a response has a matching request", () => {
    const paired = new Set(examples.map(({ operationId, condition }) => `${operationId}.${condition}`));
    expect(responses.map(name).filter((each) => !paired.has(each))).toEqual([]);
  });

  test("of a request body has a response", () => {
    const bodies = examples.filter(({ request }) => Object.keys(request.body ?? {}).length > 0);
    const expected = bodies.map(({ operationId, condition }) => `${operationId}.${condition}.request`);
    expect(requests.map(name)).toEqual(expected.toSorted());
  });

  test("is listed by its operation alone", () => {
    const foreign = referencesOfExamples().filter(({ file, reference }) => basename(reference).split(".")[0] !== name(file));
    expect(foreign).toEqual([]);
  });

  test("is listed under its own condition", () => {
    const misplaced = referencesOfExamples().filter(({ key, reference }) => basename(reference).split(".")[1] !== key);
    expect(misplaced).toEqual([]);
  });
});

function yamlFiles(folder: string): string[] {
  const names = readdirSync(new URL(folder, root)).filter((file) => file.endsWith(".yaml"));
  return names.map((file) => `${folder}/${file}`).toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
}

function read(file: string): string {
  return readFileSync(new URL(file, root), "utf8");
}

function name(file: string): string {
  return basename(file, ".yaml");
}

function operationsIn(file: string): Json[] {
  return Object.values(object(parse(read(file)), file)).map((operation) => object(operation, file));
}

/** Descriptions of the contract itself; the content of `value` and `examples` is data. */
function descriptionsIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === "description" && typeof value === "string") return [value];
    return key === "value" ? [] : descriptionsIn(value);
  });
}

/** Decisions beside a `$ref` without a description of their own. */
function decisionsWithoutTextIn(node: unknown): unknown[] {
  if (typeof node !== "object" || node === null) return [];
  const own = "x-decision" in node && "$ref" in node && !("description" in node) ? [node["x-decision"]] : [];
  return [...own, ...Object.values(node).flatMap(decisionsWithoutTextIn)];
}

/** Every `examples` entry of the sources that refers to a file, with its key. */
function referencesOfExamples(): { file: string; key: string; reference: string }[] {
  const found: { file: string; key: string; reference: string }[] = [];
  const visit = (file: string, node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const reference: unknown = typeof value === "object" && value !== null && "$ref" in value ? value.$ref : undefined;
      if (typeof reference === "string" && reference.includes("/examples/")) found.push({ file, key, reference });
      else visit(file, value);
    }
  };
  for (const file of [...paths, ...components]) visit(file, parse(read(file)));
  return found;
}
