import { describe, expect, test } from "vitest";
import { operationsOf, readContract, withOperationList, withServerDefaults } from "../src/contract.ts";
import { substitute } from "../src/substitution.ts";

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

describe("withOperationList", () => {
  test("puts the list before the first heading", () => {
    expect(withOperationList(contract).info.description).toBe(
      "Intro.\n\n\n## Operations\n\n- [readA](#/things/reada): Read a\n\n## First\n\nText.\n",
    );
  });

  test("puts the list at the end where there is no heading", () => {
    const plain = { ...contract, info: { ...contract.info, description: "Intro." } };
    expect(withOperationList(plain).info.description).toMatch(/^Intro\.\n## Operations\n\n- \[readA\].*\n\n$/);
  });
});

describe("withServerDefaults", () => {
  test("fills in what has a default and leaves the rest", () => {
    expect(withServerDefaults(contract).servers).toEqual([{ url: "http://127.0.0.1:1/{other}" }]);
  });
});

describe("substitute", () => {
  test("fails where the text no longer has what is to be replaced", () => {
    expect(substitute("a-b-c", "The text", /-/g, () => "+")).toBe("a+b+c");
    expect(() => substitute("abc", "The text", /-/, () => "+")).toThrow("The text no longer contains /-/");
  });
});
