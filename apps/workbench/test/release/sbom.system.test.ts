import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../src/command.ts";
import { publicPackages } from "../../src/release/packages.ts";
import { writeSboms } from "../../src/release/sbom.ts";

const packages = publicPackages(root);
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
let folder: string;
let texts: Map<string, string>;

interface Bill {
  bomFormat: string;
  metadata: { component: { purl: string; version: string } };
  components: { purl: string }[];
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "chain-query-sbom-"));
  const paths = await writeSboms(packages, root, folder);
  texts = new Map(packages.map(({ name }, index) => [name, readFileSync(paths[index] ?? "", "utf8")]));
});
afterAll(() => rmSync(folder, { recursive: true }));

const billOf = (name: string): Bill => JSON.parse(texts.get(name) ?? "");
const purlsOf = (name: string) => billOf(name).components.map(({ purl }) => purl);

describe("the bill of materials", () => {
  test.for(packages.map(({ name }) => name))("of %s is valid CycloneDX 1.6", async (name) => {
    expect(await validator.validate(texts.get(name) ?? "")).toBeNull();
    expect(billOf(name).metadata.component.purl).toBe(
      `pkg:npm/${name.replace("@", "%40")}@${packages.find((each) => each.name === name)?.version}`,
    );
  });

  test("is judged: one without its format is refused", async () => {
    const { bomFormat: _, ...broken } = billOf("@chain-query/client");
    expect(await validator.validate(JSON.stringify(broken))).not.toBeNull();
  });

  test("names what a package brings along, however far down, and no tool of ours", () => {
    expect(purlsOf("@chain-query/client")).toEqual(
      expect.arrayContaining([
        "pkg:npm/openapi-fetch@0.17.0",
        "pkg:npm/openapi-typescript-helpers@0.1.0",
        expect.stringMatching(/^pkg:npm\/%40chain-query\/types@/),
      ]),
    );
    expect(purlsOf("@chain-query/mock")).toContain("pkg:npm/%40stoplight/prism-http@5.16.0");
    for (const { name } of packages) expect(purlsOf(name).join()).not.toMatch(/\/(vitest|typescript|turbo)@/);
  });
});
