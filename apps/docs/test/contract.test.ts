import { describe, expect, test } from "vitest";
import { documentedExamples, routeOf, serverUrl } from "../src/contract/contract.ts";
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

describe("serverUrl", () => {
  test("fills in defaults and leaves variables without one", () => {
    const servers = [{ url: "{base}/{other}", variables: { base: { default: "http://127.0.0.1:1" } } }];
    expect(serverUrl({ servers })).toBe("http://127.0.0.1:1/{other}");
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
