import { decisions, operations, operationsById } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import type { Workflow } from "../src/contract/workflows.ts";
import {
  type Contract,
  contractForReaders,
  readContract,
  withDecisions,
  withLists,
} from "../src/reference/contract-for-readers.ts";
import { samplesOf } from "../src/samples/samples.ts";

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
    return `> The document is silent here; we chose: ${chosen} [${id}](../decisions/#${id.toLowerCase()})`;
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
  const story = (...operationIds: string[]): Workflow => ({
    file: "w.arazzo.yaml",
    title: "T",
    story: "S.",
    summary: "Do a",
    description: "D.",
    steps: operationIds.map((operationId) => ({ operationId, description: "Step." })),
  });
  const lists = (): string => {
    const links = operations.map(({ id, tag, summary }) => `- [${id}](#/${tag.toLowerCase()}/${id.toLowerCase()}): ${summary}`);
    const download = "Download: [openapi.yaml](../openapi.yaml), [openapi.json](../openapi.json), [decisions](../decisions.md)";
    const call = "[lookupBlock](#/blocks/lookupblock)";
    const told = `- Do a: ${call}, then ${call} ([Arazzo](../workflows/w.arazzo.yaml))`;
    return `${download}\n\n## Operations\n\n${links.join("\n")}\n\n## Workflows\n\n${told}`;
  };

  test("puts downloads, operations and workflows before the first heading", () => {
    const { info } = withLists(small({}, "Intro.\n\n## First\n\nText.\n"), [story("lookupBlock", "lookupBlock")]);
    expect(info.description).toBe(`Intro.\n\n${lists()}\n\n## First\n\nText.`);
  });

  test("puts them at the end if there is no heading", () => {
    expect(withLists(small(), [story("lookupBlock", "lookupBlock")]).info.description).toBe(`Intro.\n\n${lists()}`);
  });

  test("refuses a workflow that calls an unknown operation", () => {
    expect(() => withLists(small(), [story("readB")])).toThrow("w.arazzo.yaml calls readB, which the contract does not have");
  });
});

describe("contractForReaders", () => {
  const shown = contractForReaders(readContract(), []);
  const operation = Object(shown.paths["/api/v2/lookupBlock"]?.["post"]);

  test("writes each operation's id and a link to the playground", () => {
    expect(operation.description).toMatch(/^`lookupBlock` \[Try it\]\(\.\.\/playground\/\?operation=lookupBlock\)\n\nFinds /);
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

  test("replaces every x-decision by a link", () => {
    const text = JSON.stringify(shown);
    expect(text).not.toContain('"x-decision":');
    for (const { id } of decisions) expect(text, id).toContain(`[${id}](../decisions/#${id.toLowerCase()})`);
  });
});
