import { operations, operationsById } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { formOf } from "../src/playground/page.ts";
import { buildRequest } from "../src/playground/request.ts";
import { apiKeyOf } from "../src/samples/request.ts";
import { sampledExamples, sampleLabels, samplesOf } from "../src/samples/samples.ts";

describe("the form of an operation", () => {
  test("is one of all its alternative bodies", () => {
    const { fields } = formOf(operationsById.lookupBlock);
    expect(fields.map(({ name, need, type }) => [name, need, type])).toEqual([
      ["workchain", "required", "number"],
      ["shard", "required", "string"],
      ["seqno", "or lt or unixtime", "number"],
      ["lt", "or seqno or unixtime", "string"],
      ["unixtime", "or seqno or lt", "number"],
    ]);
  });

  test("selects each response of a mock", () => {
    const { examples } = formOf(operationsById.getConsensusBlock);
    expect(examples.find(({ condition }) => condition === "rate-limited")?.prefer).toBe("code=429, example=rate-limited");
    expect(examples[0]?.prefer).toBeUndefined();
  });

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    "of %s makes the request of each example",
    (_, one) => {
      const form = formOf(one);
      for (const { condition, request } of one.examples) {
        const { values = {}, key = "" } = form.examples.find((each) => each.condition === condition) ?? {};
        const all = { ...Object.fromEntries(form.fields.map(({ name }) => [name, ""])), ...values };
        const { query, body } = buildRequest(form, all, { "X-API-Key": key });
        if (!condition.includes("missing"))
          expect({ query, ...(body && { body }) }, condition).toEqual({
            query: request.query,
            ...(request.body && { body: request.body }),
          });
      }
    },
  );
});

test("samples are in each language and never contain a key", () => {
  const sampled = sampledExamples(operations.flatMap(({ examples }) => examples));
  const keyed = sampled.filter(({ request }) => apiKeyOf(request) !== undefined);
  expect(keyed.length).toBeGreaterThan(0);
  for (const { operationId, request } of sampled) {
    const samples = samplesOf({ operationId, ...request }, "http://127.0.0.1:4010", false);
    expect(samples.map(({ label }) => label)).toEqual(sampleLabels);
    const key = apiKeyOf(request);
    if (key !== undefined)
      for (const { source } of samples) expect([source.includes("CHAIN_API_KEY"), source.includes(key)]).toEqual([true, false]);
  }
});
