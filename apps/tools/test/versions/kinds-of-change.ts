/** Tests that both comparisons with the last release, and the semver policy, find the expected level for each kind of change. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Changeset, type Level, levels } from "../../src/versions/changesets.ts";
import { type Break, type Bundle, changesOf, type Difference, prefixesOf } from "../../src/versions/last-release.ts";
import { checkRelease, type PolicyResult } from "../../src/versions/semver-policy.ts";
import { root } from "../../src/workspace/packages.ts";
import { before, type ContractChange, type Edit, type Json } from "./contract-changes/edits.ts";
import { ofNames } from "./contract-changes/names.ts";
import { ofRequests } from "./contract-changes/requests.ts";
import { ofResponses } from "./contract-changes/responses.ts";

/** All kinds of change. */
export const contractChanges: readonly ContractChange[] = [...ofNames, ...ofResponses, ...ofRequests];

const group = ["@chain-query/openapi", "@chain-query/types", "@chain-query/client"];
const bundle = readFileSync(join(root, "openapi/dist/openapi.json"), "utf8");
const released = edited(JSON.parse(bundle), before);

/** Compares the contract before and after each change, and tests the findings. */
export function testKindsOfChange(changes: readonly ContractChange[]): void {
  const revisions = changes.map(({ edits }) => edited(released, edits));

  let folder: string;
  let differences: Difference[][];
  let breaks: Break[][];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "chain-query-changes-"));
    const files = [released, ...revisions].map((contract, index) => {
      const file = join(folder, `${index}.json`);
      writeFileSync(file, JSON.stringify(contract));
      return file;
    });
    const compare = async (script: string) => {
      const { stdout } = await promisify(execFile)(process.execPath, [join(root, script), ...files], { maxBuffer: 1 << 26 });
      return JSON.parse(stdout);
    };
    [differences, breaks] = await Promise.all([
      compare("openapi/tools/compare.ts"),
      compare("packages/types/compatibility/compare.ts"),
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The result for a kind of change that is announced at a level. */
  function resultFor(index: number, announced: Level | undefined): PolicyResult {
    const changeset: Changeset = {
      file: ".changeset/x.md",
      releases: new Map(group.map((name) => [name, announced ?? "patch"])),
    };
    return checkRelease({
      changes: changesOf(asBundle(released), differences[index] ?? [], breaks[index] ?? []),
      changesets: announced === undefined ? [] : [changeset],
      group,
      version: "2.4.1",
      prefixes: prefixesOf(asBundle(revisions[index])),
    });
  }

  describe.each(changes.map((change, index) => ({ ...change, index })))("if $kind", ({ index, ...expected }) => {
    const broken = expected.types.length > 0;
    const required: Level = broken ? "major" : expected.contract;

    test(`the contract says ${expected.contract}`, () => {
      const found = differences[index]?.map(({ bump }) => bump) ?? [];
      expect(
        levels.findLast((level) => found.includes(level)),
        JSON.stringify(differences[index], null, 1),
      ).toBe(expected.contract);
    });

    test(`the types name ${broken ? expected.types.join(", ") : "nothing"}`, () => {
      expect(new Set(breaks[index]?.map(({ half, name }) => `${half} of ${name}`))).toEqual(new Set(expected.types));
    });

    test("the table says why the gates disagree, if they do", () => {
      expect(expected.disagreement !== undefined).toBe((expected.contract === "major") !== broken);
    });

    test(`a release needs ${required}${required === "major" && !expected.underNewPrefix ? ", and must not be" : ""}`, () => {
      expect(resultFor(index, undefined)).toMatchObject({ required, violation: { reason: expect.any(String) } });
      const allowed = required !== "major" || expected.underNewPrefix === true;
      const result = resultFor(index, required);
      expect(result.violation === undefined, result.violation?.reason).toBe(allowed);
      const tooLow = levels[levels.indexOf(required) - 1];
      if (tooLow !== undefined) expect(resultFor(index, tooLow).violation).toBeDefined();
    });
  });
}

function edited(contract: Json, edits: readonly Edit[]): Json {
  const result = structuredClone(contract);
  for (const edit of edits) edit(result);
  return result;
}

function asBundle(contract: unknown): Bundle {
  return contract as Bundle;
}
