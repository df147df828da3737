/** The copy of the contract that the reference shows. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readContract } from "../src/contract.ts";
import { readChoices, withDecisions } from "../src/contract-decisions.ts";
import { documentedExamples } from "../src/contract-examples.ts";
import { contractForReaders } from "../src/contract-for-readers.ts";
import { withSamples } from "../src/contract-samples.ts";

const source = (name: string): Promise<string> =>
  readFile(fileURLToPath(import.meta.resolve(`@chain-query/openapi/${name}`)), "utf8");
const contract = readContract(await source("openapi.json"));
const choices = readChoices(await source("DECISIONS.md"));
const small = (members: object) =>
  readContract(
    JSON.stringify({
      info: { title: "T", summary: "S", description: "Intro.", version: "1.0.0" },
      paths: { "/a": { get: { operationId: "readA", summary: "Read a", tags: ["Things"], description: "Reads a." } } },
      ...members,
    }),
  );

describe("readChoices", () => {
  test("reads what was chosen, by number", () => {
    expect(choices.size).toBeGreaterThan(40);
    expect(choices.get("D-23")).toBe('The string "0".');
  });

  test("names the decision that has no choice", () => {
    expect(() => readChoices("## D-01 A\n\n- We chose: b.\n\n## D-02 C\n\n- Why: d.\n")).toThrow("DECISIONS.md, D-02");
  });
});

describe("withDecisions", () => {
  const told = withDecisions(
    small({
      "x-decision": "D-1",
      components: {
        schemas: {
          Text: { description: "A text.", type: "string", "x-decision": "D-2" },
          Object: { properties: { bare: { $ref: "#/components/schemas/Text", "x-decision": "D-1" } } },
        },
      },
    }),
    new Map([
      ["D-1", "One."],
      ["D-2", "Two."],
    ]),
    "../decisions/",
  );
  const schemas = (told as unknown as { components: { schemas: Record<string, object> } }).components.schemas;

  test("tells a decision behind the description that it stands beside", () => {
    const description = "A text.\n\n> The document is silent here; we chose: Two. [D-2](../decisions/#d-2)";
    expect(schemas["Text"]).toEqual({ description, type: "string" });
  });

  test("keeps the description of what is only referred to", () => {
    const description = "A text.\n\n> The document is silent here; we chose: One. [D-1](../decisions/#d-1)";
    expect(schemas["Object"]).toEqual({ properties: { bare: { $ref: "#/components/schemas/Text", description } } });
  });

  test("tells what concerns the whole at the end of the introduction", () => {
    expect(told.info.description).toMatch(/^Intro\.\n\n> The document is silent here; we chose: One\./);
  });

  test("refuses a decision that does not exist", () => {
    expect(() => withDecisions(small({ "x-decision": "D-99" }), choices, "")).toThrow(
      "names D-99, which DECISIONS.md does not",
    );
  });
});

describe("withSamples", () => {
  test("refuses an operation without an example", () => {
    expect(() => withSamples(small({}), [], "")).toThrow("readA has no example to make code samples from");
  });
});

describe("contractForReaders", () => {
  const shown = contractForReaders(contract, { workflows: [], examples: documentedExamples, choices });
  const operation = shown.paths["/api/v2/lookupBlock"]?.["post"] as {
    description: string;
    "x-codeSamples": { label: string; source: string; sources: Record<string, string> }[];
  };

  test("says each operation's name and where to try it", () => {
    expect(operation.description).toMatch(/^`lookupBlock` \[Try it\]\(\.\.\/playground\/\?operation=lookupBlock\)\n\nFinds /);
  });

  test("says that the key is optional", () => {
    const { security, components } = shown as unknown as { security: object[]; components: { securitySchemes: object } };
    expect(security).toEqual([{ "ApiKey (optional)": [] }, {}]);
    expect(Object.keys(components.securitySchemes)).toEqual(["ApiKey (optional)"]);
  });

  test("has samples for each example, the first of which is shown at once", () => {
    const conditions = documentedExamples
      .filter(({ operationId }) => operationId === "lookupBlock")
      .map((one) => one.condition);
    expect(operation["x-codeSamples"].map(({ label }) => label)).toEqual(["curl", "Client", "fetch"]);
    for (const { source: first, sources } of operation["x-codeSamples"]) {
      expect(Object.keys(sources)).toEqual(conditions);
      expect(first).toBe(sources["head"]);
      expect(new Set(Object.values(sources)).size).toBe(conditions.length);
    }
  });

  test("leaves no decision as a bare number", () => {
    const text = JSON.stringify(shown);
    expect(text).not.toContain('"x-decision":');
    for (const number of choices.keys()) expect(text, number).toContain(`[${number}](../decisions/#${number.toLowerCase()})`);
  });
});
