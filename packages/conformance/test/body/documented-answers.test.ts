import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { expect, test } from "vitest";
import { judgeBody, operationIds } from "../../src/index.ts";
import { has, isObject } from "../../src/json.ts";

const successes = examples.filter(({ response }) => response.status < 300);
const failures = examples.filter(({ response }) => response.status >= 300);

test.each(examples)("$operationId, $condition: the documented answer conforms", ({ operationId, response }) => {
  expect(judgeBody(operationId, response.body)).toEqual({ verdict: "conforms", deviations: [] });
  if (response.status < 300) expect(judgeBody(operationId, response.body.result).verdict).toBe("conforms");
});

test("every operation has a documented success", () => {
  expect(new Set(successes.map(({ operationId }) => operationId))).toEqual(new Set(operationIds));
});

test.each(failures)("$operationId, $condition: the documented failure conforms among the failures", ({ response }) => {
  expect(judgeBody("errors", response.body).verdict).toBe("conforms");
});

const optional = new Set(["@extra", "jsonrpc", "id", "in_msg", "message", "message_decode_error", "suspended"]);

test.each(examples)("$operationId, $condition: the judge reports every removed member", ({ operationId, response }) => {
  for (const path of placesOf(response.body)) {
    // Currencies are numbered, so the id of one is required where the id of an envelope is not.
    if (optional.has(path.at(-1) ?? "") && !path.includes("extra_currencies")) continue;
    expect([path.join("/"), judgeBody(operationId, changed(response.body, path, undefined)).verdict]).toEqual([
      path.join("/"),
      "unexplained",
    ]);
  }
});

test.each(examples)("$operationId, $condition: the judge reports every member of another type", (example) => {
  for (const path of placesOf(example.response.body)) {
    const { verdict } = judgeBody(example.operationId, changed(example.response.body, path, [true]));
    expect([path.join("/"), verdict]).toEqual([path.join("/"), "unexplained"]);
  }
});

/** The paths of all members of objects in a body. */
function placesOf(value: unknown, at: string[] = []): string[][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => placesOf(item, [...at, String(index)]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([member, child]) => [[...at, member], ...placesOf(child, [...at, member])]);
}

/** A copy with another value at a path; undefined removes the member. */
function changed(value: unknown, [head, ...rest]: readonly string[], put: unknown): unknown {
  if (head === undefined) return put;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === head ? changed(item, rest, put) : item));
  if (!has(value, head)) return value;
  const child = changed(value[head], rest, put);
  const { [head]: _, ...others } = value;
  return child === undefined ? others : { ...value, [head]: child };
}
