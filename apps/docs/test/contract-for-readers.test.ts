import { readFile } from "node:fs/promises";
import { operations } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { type Contract, documentedExamples, readContract } from "../src/contract/contract.ts";
import { readChoices } from "../src/contract/decisions.ts";
import type { Workflow } from "../src/contract/workflows.ts";
import { contractForReaders, withDecisions, withLists } from "../src/reference/contract-for-readers.ts";
import { samplesOf } from "../src/samples/samples.ts";

const choices = readChoices(await readFile(new URL(import.meta.resolve("@chain-query/openapi/DECISIONS.md")), "utf8"));
const small = (members: Partial<Contract> = {}, description = "Intro."): Contract => ({
  info: { title: "T", summary: "S", description, version: "1.0.0" },
  servers: [],
  security: [],
  paths: {},
  components: { schemas: {}, parameters: {}, securitySchemes: {} },
  ...members,
});

describe("readChoices", () => {
  test("reads the choice of each decision", () => {
    expect(choices.size).toBeGreaterThan(40);
    expect(choices.get("D-23")).toBe('The string "0".');
  });

  test("names the decision that has no choice", () => {
    expect(() => readChoices("## D-01 A\n\n- We chose: b.\n\n## D-02 C\n\n- Why: d.\n")).toThrow("DECISIONS.md, D-02");
  });
});

describe("withDecisions", () => {
  const decided = withDecisions(
    small({
      "x-decision": "D-1",
      components: {
        schemas: {
          Text: { description: "A text.", type: "string", "x-decision": "D-2" },
          Object: { properties: { bare: { $ref: "#/components/schemas/Text", "x-decision": "D-1" } } },
        },
        parameters: {},
        securitySchemes: {},
      },
    }),
    new Map([
      ["D-1", "One."],
      ["D-2", "Two."],
    ]),
    "../decisions/",
  );
  const { schemas } = decided.components;

  test("writes a decision after the description beside it", () => {
    const description = "A text.\n\n> The document is silent here; we chose: Two. [D-2](../decisions/#d-2)";
    expect(schemas).toHaveProperty("Text", { description, type: "string" });
  });

  test("repeats the description of a referenced schema", () => {
    const description = "A text.\n\n> The document is silent here; we chose: One. [D-1](../decisions/#d-1)";
    expect(schemas).toHaveProperty("Object", { properties: { bare: { $ref: "#/components/schemas/Text", description } } });
  });

  test("writes a decision of the root at the end of the introduction", () => {
    expect(decided.info.description).toMatch(/^Intro\.\n\n> The document is silent here; we chose: One\./);
  });

  test("refuses an unknown decision", () => {
    expect(() => withDecisions(small({ "x-decision": "D-99" }), choices, "")).toThrow(
      "names D-99, which DECISIONS.md does not",
    );
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
  const shown = contractForReaders(readContract(), [], choices);
  const operation = Object(shown.paths["/api/v2/lookupBlock"]?.["post"]);

  test("writes each operation's id and a link to the playground", () => {
    expect(operation.description).toMatch(/^`lookupBlock` \[Try it\]\(\.\.\/playground\/\?operation=lookupBlock\)\n\nFinds /);
  });

  test("says that the key is optional", () => {
    expect(shown).toMatchObject({ security: [{ "ApiKey (optional)": [] }, {}] });
    expect(Object.keys(shown.components.securitySchemes)).toEqual(["ApiKey (optional)"]);
  });

  test("has code samples of the first example", () => {
    const first = documentedExamples.find(({ operationId }) => operationId === "lookupBlock");
    if (first === undefined) throw new Error("lookupBlock has no example");
    const baseUrl = "http://127.0.0.1:4010";
    expect(operation["x-codeSamples"]).toEqual(samplesOf({ operationId: "lookupBlock", ...first.request }, baseUrl, false));
  });

  test("replaces every x-decision by a link", () => {
    const text = JSON.stringify(shown);
    expect(text).not.toContain('"x-decision":');
    for (const id of choices.keys()) expect(text, id).toContain(`[${id}](../decisions/#${id.toLowerCase()})`);
  });
});
