import { info as contractInfo, decisions, operations, operationsById } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { readWorkflows, type Workflow } from "../src/pages/workflows.ts";
import {
  type Contract,
  contractForReaders,
  readContract,
  withDecisions,
  withLists,
} from "../src/reference/contract-for-readers.ts";
import { documentedExamples, operationPath } from "../src/reference/routes.ts";
import { samplesOf } from "../src/samples/samples.ts";

describe("documentedExamples", () => {
  test("has examples of every operation", () => {
    expect(new Set(documentedExamples.map(({ operationId }) => operationId)).size).toBe(8);
  });
});

describe("operationPath", () => {
  test("is the path in the address that the contract's package has", () => {
    for (const { id, docsUrl } of operations) expect(contractInfo.docsUrl + operationPath(id)).toBe(docsUrl);
  });
});

describe("readWorkflows", () => {
  test("reads each workflow with its title and the operations that it calls", () => {
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

const small = (members: Partial<Contract> = {}, description = "Intro."): Contract => ({
  info: { description },
  servers: [],
  security: [],
  paths: {},
  components: { securitySchemes: {} },
  ...members,
});

describe("withDecisions", () => {
  const words = (id: string) => {
    const chosen = decisions.find((decision) => decision.id === id)?.chosen;
    return `> The source document leaves this open; we chose: ${chosen} [${id}](../decisions/#${id.toLowerCase()})`;
  };
  const decided = withDecisions(
    small({
      "x-decision": "D-01",
      paths: { "/a": { get: { described: { description: "A text.", "x-decision": "D-02" }, bare: { "x-decision": "D-23" } } } },
    }),
  );

  test("writes a decision after the description beside it", () => {
    expect(decided.paths["/a"]?.["get"]).toEqual({
      described: { description: `A text.\n\n${words("D-02")}` },
      bare: { description: words("D-23") },
    });
  });

  test("writes a decision of the root at the end of the introduction", () => {
    expect(decided.info.description).toBe(`Intro.\n\n${words("D-01")}`);
  });

  test("refuses an unknown decision", () => {
    expect(() => withDecisions(small({ "x-decision": "D-99" }))).toThrow("names D-99, which DECISIONS.md does not");
  });
});

describe("withLists", () => {
  const workflow = (...operationIds: string[]): Workflow => ({
    file: "w.arazzo.yaml",
    title: "T",
    introduction: "S.",
    summary: "Do a",
    description: "D.",
    steps: operationIds.map((operationId) => ({ operationId, description: "Step." })),
  });
  const lists = (): string => {
    const links = operations.map(({ id, summary }) => `- [${id}](../reference/${id}/): ${summary}`);
    const download = "Download: [openapi.yaml](../openapi.yaml), [openapi.json](../openapi.json), [decisions](../decisions.md)";
    const call = "[lookupBlock](../reference/lookupBlock/)";
    const workflowLines = `- Do a: ${call}, then ${call} ([Arazzo](../workflows/w.arazzo.yaml))`;
    return `${download}\n\n## Operations\n\n${links.join("\n")}\n\n## Workflows\n\n${workflowLines}`;
  };

  test("puts downloads, operations and workflows before the first heading", () => {
    const { info } = withLists(small({}, "Intro.\n\n## First\n\nText.\n"), [workflow("lookupBlock", "lookupBlock")]);
    expect(info.description).toBe(`Intro.\n\n${lists()}\n\n## First\n\nText.`);
  });

  test("puts them at the end if there is no heading", () => {
    expect(withLists(small(), [workflow("lookupBlock", "lookupBlock")]).info.description).toBe(`Intro.\n\n${lists()}`);
  });

  test("refuses a workflow that calls an unknown operation", () => {
    expect(() => withLists(small(), [workflow("readB")])).toThrow(
      "w.arazzo.yaml calls readB, which the contract does not have",
    );
  });
});

describe("contractForReaders", () => {
  const shown = contractForReaders(readContract(), []);
  const operation = Object(shown.paths["/api/v2/lookupBlock"]?.["post"]);

  test("writes each operation's id, a link to its page and one to the playground", () => {
    expect(operation.description).toMatch(
      /^\[`lookupBlock`\]\(\.\.\/reference\/lookupBlock\/\) \[Try it\]\(\.\.\/playground\/\?operation=lookupBlock\)\n\nFinds /,
    );
  });

  test("says that the key is optional", () => {
    expect(shown).toMatchObject({ security: [{ "ApiKey (optional)": [] }, {}] });
    expect(Object.keys(shown.components.securitySchemes)).toEqual(["ApiKey (optional)"]);
  });

  test("has code samples of the first example", () => {
    const [first] = operationsById.lookupBlock.examples;
    if (first === undefined) throw new Error("lookupBlock has no example");
    const baseUrl = "http://127.0.0.1:4010";
    expect(operation["x-codeSamples"]).toEqual(samplesOf({ operationId: "lookupBlock", ...first.request }, baseUrl, false));
  });

  test("shows the value of a const once", () => {
    expect(JSON.stringify(shown)).toContain('"const":"blocks.masterchainInfo"');
    expect(JSON.stringify(shown)).not.toContain('"enum":');
  });

  test("replaces every x-decision by a link", () => {
    const text = JSON.stringify(shown);
    expect(text).not.toContain('"x-decision":');
    for (const { id } of decisions) expect(text, id).toContain(`[${id}](../decisions/#${id.toLowerCase()})`);
  });
});
