import { describe, expect, test } from "vitest";
import { licenceFaults } from "../../src/supply-chain/licences.ts";

const licensed = (license: string) => [{ name: "left-pad", versions: ["1.3.0"], license }];

describe("licenceFaults", () => {
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
      expect.stringContaining(`left-pad 1.3.0: licence ${license}: expected MIT, `),
    ]);
  });

  test("accepts an exception by name, and names one that no package needs", () => {
    expect(licenceFaults(licensed("WTFPL"), { "left-pad": "it is not shipped" })).toEqual([]);
    expect(licenceFaults(licensed("MIT"), { "left-pad": "it is not shipped" })).toEqual([
      "left-pad: a licence exception that no package needs",
    ]);
  });
});
