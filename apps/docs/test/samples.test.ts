import { operations } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { documentedExamples } from "../src/contract/contract.ts";
import { apiKeyOf } from "../src/samples/request.ts";
import { sampledExamples, sampleLabels, samplesOf } from "../src/samples/samples.ts";

const sampled = sampledExamples(documentedExamples).map(({ operationId, request, response }) => ({
  operationId,
  request,
  samples: samplesOf({ operationId, ...request }, "http://127.0.0.1:4010", response.status >= 300),
}));

describe("samples", () => {
  test.each(operations.map(({ id }) => id))("of %s are in each language", (id) => {
    const own = sampled.filter(({ operationId }) => operationId === id);
    expect(own.length).toBeGreaterThan(0);
    for (const { samples } of own) expect(samples.map(({ label }) => label)).toEqual(sampleLabels);
  });

  test("take each documented request once", () => {
    const requests = documentedExamples.map(({ operationId, request }) => JSON.stringify([operationId, request]));
    expect(sampled).toHaveLength(new Set(requests).size);
  });

  test("never contain a key", () => {
    const keyed = sampled.filter(({ request }) => apiKeyOf(request) !== undefined);
    expect(keyed.length).toBeGreaterThan(0);
    for (const { request, samples } of keyed) {
      for (const { source } of samples) {
        expect(source).toContain("CHAIN_API_KEY");
        for (const value of Object.values(request.headers)) expect(source).not.toContain(value);
      }
    }
  });
});
