import { describe, expect, test } from "vitest";
import { root } from "../../src/command.ts";
import { licenceFaults, runtimeLicences } from "../../src/supply-chain/licences.ts";

const licensed = (license: string) => [{ name: "left-pad", versions: ["1.3.0"], license }];

describe("runtimeLicences", () => {
  test("finds what the public packages bring along, and nothing that only the workspace needs", async () => {
    const names = (await runtimeLicences(root)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["openapi-fetch", "@stoplight/prism-http", "ajv", "fast-check"]));
    // Far down: a dependency of a dependency.
    expect(names).toContain("openapi-typescript-helpers");
    for (const tool of ["vitest", "turbo", "typescript"]) expect(names).not.toContain(tool);
  });
});

describe("licenceFaults", () => {
  test("finds none in what the public packages bring along", async () => {
    expect(licenceFaults(await runtimeLicences(root))).toEqual([]);
  });

  test.for(["MIT", "Apache-2.0", "(MIT OR GPL-3.0-only)", "MIT AND ISC", "BlueOak-1.0.0"])("accepts %s", (license) => {
    expect(licenceFaults(licensed(license), {})).toEqual([]);
  });

  test.for([
    "GPL-3.0-only",
    "AGPL-3.0-or-later",
    "MIT AND GPL-3.0-only",
    "Unknown",
    "SEE LICENSE IN LICENCE.txt",
    "UNLICENSED",
    "",
  ])("names a package whose licence is %j", (license) => {
    expect(licenceFaults(licensed(license), {})).toEqual([
      expect.stringContaining(`left-pad 1.3.0: its licence, ${license}, is not one of MIT, `),
    ]);
  });

  test("accepts an exception by name, and names one that nothing needs", () => {
    expect(licenceFaults(licensed("WTFPL"), { "left-pad": "it is not shipped" })).toEqual([]);
    expect(licenceFaults(licensed("MIT"), { "left-pad": "it is not shipped" })).toEqual([
      "left-pad: an exception that nothing needs",
    ]);
  });
});
