import { describe, expect, test } from "vitest";
import { readContract, withOperationList } from "../src/contract.ts";
import { readWorkflows, withWorkflows } from "../src/workflows.ts";

const contract = readContract(
  JSON.stringify({
    info: { title: "t", summary: "s", description: "Intro.\n\n## First\n\nText.\n" },
    paths: { "/a": { get: { operationId: "readA", summary: "Read a", tags: ["Things"] } } },
  }),
);

describe("readWorkflows", () => {
  test("reads each workflow with what it finds and the operations that it calls", () => {
    const workflows = readWorkflows();
    expect(workflows).toContainEqual({
      file: "head-to-block.arazzo.yaml",
      summary: "Find the block of the head",
      operationIds: ["getMasterchainInfo", "lookupBlock"],
    });
    expect(workflows.length).toBeGreaterThanOrEqual(4);
  });
});

describe("withWorkflows", () => {
  test("tells them behind the operations, each call a link", () => {
    const told = withWorkflows(withOperationList(contract), [
      { file: "w.arazzo.yaml", summary: "Do a", operationIds: ["readA", "readA"] },
    ]);
    expect(told.info.description).toBe(
      "Intro.\n\n\n## Operations\n\n- [readA](#/things/reada): Read a\n\n" +
        "## Workflows\n\n- Do a: [readA](#/things/reada), then [readA](#/things/reada) ([Arazzo](workflows/w.arazzo.yaml))\n\n" +
        "## First\n\nText.\n",
    );
  });

  test("refuses one that calls what the contract does not have", () => {
    const wrong = [{ file: "w.arazzo.yaml", summary: "Do b", operationIds: ["readB"] }];
    expect(() => withWorkflows(withOperationList(contract), wrong)).toThrow(
      "w.arazzo.yaml calls readB, which the contract does not have",
    );
  });
});
