import { describe, expect, test } from "vitest";
import { readContract, withOperationList } from "../src/contract.ts";
import { readWorkflows, type Workflow, withWorkflows } from "../src/workflows.ts";

const contract = readContract(
  JSON.stringify({
    info: { title: "t", summary: "s", version: "1.0.0", description: "Intro.\n\n## First\n\nText.\n" },
    paths: { "/a": { get: { operationId: "readA", summary: "Read a", tags: ["Things"] } } },
  }),
);

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

const story = (operationIds: string[]): Workflow => ({
  file: "w.arazzo.yaml",
  title: "T",
  story: "S.",
  summary: "Do a",
  description: "D.",
  steps: operationIds.map((operationId) => ({ operationId, description: "Step." })),
});

describe("withWorkflows", () => {
  test("tells them behind the operations, each call a link", () => {
    const told = withWorkflows(withOperationList(contract), [story(["readA", "readA"])]);
    expect(told.info.description).toBe(
      "Intro.\n\n\n## Operations\n\n- [readA](#/things/reada): Read a\n\n" +
        "## Workflows\n\n- Do a: [readA](#/things/reada), then [readA](#/things/reada) ([Arazzo](../workflows/w.arazzo.yaml))\n\n" +
        "## First\n\nText.\n",
    );
  });

  test("refuses one that calls what the contract does not have", () => {
    expect(() => withWorkflows(withOperationList(contract), [story(["readB"])])).toThrow(
      "w.arazzo.yaml calls readB, which the contract does not have",
    );
  });
});
