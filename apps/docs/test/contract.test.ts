import { describe, expect, test } from "vitest";
import { operationsOf, readContract, withServerDefaults } from "../src/contract/contract.ts";
import { readWorkflows } from "../src/contract/workflows.ts";

const document = {
  info: { title: "T", summary: "S", version: "1.2.3", description: "Intro.\n\n## First\n\nText.\n" },
  servers: [{ url: "{base}/{other}", variables: { base: { default: "http://127.0.0.1:1" } } }],
  paths: { "/a": { get: { operationId: "readA", summary: "Read a", tags: ["Things"] } } },
};
const contract = readContract(JSON.stringify(document));

describe("readContract", () => {
  test("keeps members that it does not know", () => {
    expect(readContract(JSON.stringify({ ...document, tags: [1] }))).toMatchObject({ tags: [1] });
  });

  test("names the member that is missing", () => {
    expect(() => readContract(JSON.stringify({ ...document, info: { title: "T" } }))).toThrow("info.summary is not a string");
    expect(() => readContract("[]")).toThrow("the contract is not an object");
  });
});

describe("operationsOf", () => {
  test("names the operation that has no tag", () => {
    const untagged = { ...contract, paths: { "/a": { get: { operationId: "readA", summary: "Read a" } } } };
    expect(() => operationsOf(untagged)).toThrow("first tag of get /a is not a string");
  });
});

describe("withServerDefaults", () => {
  test("fills in what has a default and leaves the rest", () => {
    expect(withServerDefaults(contract).servers).toEqual([{ url: "http://127.0.0.1:1/{other}" }]);
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
