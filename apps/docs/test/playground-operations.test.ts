import { describe, expect, test } from "vitest";
import { playgroundOperations } from "../src/playground/operations.ts";

const operations = playgroundOperations();
const operation = (operationId: string) => operations.find((one) => one.operationId === operationId);

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

  test("has a Prefer header for examples that repeat the request of another", () => {
    const examples = operation("getConsensusBlock")?.examples ?? [];
    expect(examples.map(({ condition, prefer }) => [condition, prefer])).toEqual([
      ["current", undefined],
      ["lagging", "code=200, example=lagging"],
      ["rate-limited", "code=429, example=rate-limited"],
    ]);
  });
});
