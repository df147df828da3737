import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differencesOf } from "../tools/differences.ts";

const contract = `
openapi: 3.1.0
info: { title: Echo, version: 1.0.0, description: It repeats. }
security: [{ Key: [] }, {}]
components: { securitySchemes: { Key: { type: apiKey, in: header, name: X-Key } } }
paths:
  /v1/echo:
    get:
      operationId: echo
      summary: Repeat a word
      parameters: [{ name: times, in: query, schema: { type: integer, default: 1 } }]
      responses: { "200": { description: It. } }
`;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "chain-query-differences-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function differences(from: string, to: string) {
  const [base, revision] = [join(folder, "base.yaml"), join(folder, "revision.yaml")];
  writeFileSync(base, contract);
  writeFileSync(revision, contract.replace(from, to));
  return differencesOf(base, revision);
}

describe("differencesOf", () => {
  test("leaves the number of the version out", async () => {
    expect(await differences("version: 1.0.0", "version: 1.1.0")).toEqual([]);
  });

  test("names the operation and the place, in words and as a path", async () => {
    expect(await differences("Repeat a word", "Say it again")).toEqual([
      { bump: "patch", path: "/v1/echo", where: "GET /v1/echo summary", what: "modified" },
    ]);
    expect(await differences("It repeats.", "It says it again.")).toEqual([
      { bump: "patch", where: "info description", what: "modified" },
    ]);
  });

  test("knows a renamed path by its old name", async () => {
    expect(await differences("/v1/echo:", "/v1/repeat:")).toMatchObject([
      { bump: "major", path: "/v1/echo", what: expect.stringContaining("was renamed to `/v1/repeat`") },
    ]);
  });

  test.for([
    ["default: 1", "default: 2", "major", "Default changed from '1' to '2'"],
    [", default: 1", "", "major", "Default '1' was removed"],
    ["{ Key: [] }, {}", "{}", "major", "`Key` is no longer a way to authenticate"],
    ["operationId: echo", "operationId: echo\n      deprecated: true", "minor", "`deprecated` was changed"],
  ] as const)("has rules of ours: %s to %s", async ([from, to, bump, what]) => {
    expect(await differences(from, to)).toMatchObject([{ bump, what }]);
  });
});
