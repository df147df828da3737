import { describe, expect, test } from "vitest";
import { documentedExamples, routeOf } from "../src/contract/contract.ts";
import { readWorkflows } from "../src/contract/workflows.ts";

describe("documentedExamples", () => {
  test("has examples of every operation", () => {
    expect(new Set(documentedExamples.map(({ operationId }) => operationId)).size).toBe(8);
  });
});

describe("routeOf", () => {
  test("writes the fragment by which Redoc routes", () => {
    expect(routeOf({ tag: "Blocks", id: "lookupBlock" })).toBe("#/blocks/lookupblock");
  });
});

describe("readWorkflows", () => {
  test("reads each workflow with what it finds and the operations that it calls", () => {
    const workflows = readWorkflows();
    const found = workflows.find(({ file }) => file === "head-to-block.arazzo.yaml");
    expect(found).toMatchObject({ summary: "Find the block of the head", title: expect.stringMatching(/./) });
    expect(found?.steps).toEqual([
      { operationId: "getMasterchainInfo", description: expect.stringMatching(/^Read .*\.$/) },
      { operationId: "lookupBlock", description: expect.stringMatching(/^Find .*\.$/) },
    ]);
    expect(workflows.length).toBeGreaterThanOrEqual(4);
  });
});
