import { operations } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { playgroundOperations } from "../src/playground/build-playground.ts";
import { documentedExamples } from "../src/reference/routes.ts";
import { apiKeyOf } from "../src/samples/request.ts";
import { sampledExamples, sampleLabels, samplesOf } from "../src/samples/samples.ts";

const forms = playgroundOperations();
const operation = (operationId: string) => forms.find((one) => one.operationId === operationId);

describe("playgroundOperations", () => {
  test("makes fields of query parameters", () => {
    const fields = operation("getTransactionsStd")?.fields ?? [];
    expect(fields.map(({ name, required }) => [name, required])).toEqual([
      ["address", true],
      ["limit", false],
      ["lt", false],
      ["hash", false],
      ["to_lt", false],
      ["archival", false],
    ]);
    expect(fields.find(({ name }) => name === "archival")).toMatchObject({ place: "query", type: "boolean" });
    for (const { about } of fields) expect(about).toMatch(/^[A-Z].*[.]$/);
  });

  test("makes one form of alternative bodies", () => {
    const { fields = [], oneOf } = operation("lookupBlock") ?? {};
    expect(fields.map(({ name, required, type }) => [name, required, type])).toEqual([
      ["workchain", true, "number"],
      ["shard", true, "string"],
      ["seqno", false, "number"],
      ["lt", false, "string"],
      ["unixtime", false, "number"],
    ]);
    expect(oneOf).toEqual(["seqno", "lt", "unixtime"]);
  });

  test("makes no fields for an operation without input", () => {
    expect(operation("getMasterchainInfo")).toMatchObject({ method: "GET", fields: [], oneOf: [] });
    expect(operation("getConsensusBlock")).toMatchObject({ method: "POST", fields: [] });
  });

  test("has a Prefer header for examples that repeat the request of another, or may follow any request", () => {
    const examples = operation("getConsensusBlock")?.examples ?? [];
    expect(examples.map(({ condition, prefer }) => [condition, prefer])).toEqual([
      ["current", undefined],
      ["lagging", "code=200, example=lagging"],
      ["unknown-key", "code=401, example=unknown-key"],
      ["other-network-key", "code=403, example=other-network-key"],
      ["unreadable", "code=422, example=unreadable"],
      ["rate-limited", "code=429, example=rate-limited"],
      ["internal", "code=500, example=internal"],
      ["node-timeout", "code=504, example=node-timeout"],
      ["no-node", "code=542, example=no-node"],
    ]);
  });
});

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
