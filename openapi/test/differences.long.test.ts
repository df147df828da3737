import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
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
      parameters:
        - { name: times, in: query, schema: { type: integer, default: 1 } }
        - { name: pause, in: query, schema: { type: integer, default: 5 } }
      responses: { "200": { description: It. } }
`;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "chain-query-differences-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function differences(...edits: readonly (readonly [from: string, to: string])[]) {
  const [base, revision] = [join(folder, "base.yaml"), join(folder, "revision.yaml")];
  writeFileSync(base, contract);
  writeFileSync(
    revision,
    edits.reduce((text, [from, to]) => {
      expect(text).toContain(from);
      return text.replace(from, to);
    }, contract),
  );
  const found = await differencesOf(base, revision);
  return found.toSorted((one, other) => one.where.localeCompare(other.where));
}

test("differencesOf names the operation and the place, leaves the number of the version out, and has rules of ours", async () => {
  const found = await differences(
    ["version: 1.0.0", "version: 1.1.0"],
    ["Repeat a word", "Say it again"],
    ["It repeats.", "It says it again."],
    ["default: 1", "default: 2"],
    [", default: 5", ""],
    ["{ Key: [] }, {}", "{}"],
    ["operationId: echo", "operationId: echo\n      deprecated: true"],
  );
  const path = "/v1/echo";
  expect(found).toEqual([
    { bump: "minor", path, where: "GET /v1/echo deprecated", what: "`deprecated` was changed" },
    { bump: "major", path, where: "GET /v1/echo parameters/0/schema default", what: "Default changed from '1' to '2'" },
    { bump: "major", path, where: "GET /v1/echo parameters/1/schema default", what: "Default '5' was removed" },
    { bump: "patch", path, where: "GET /v1/echo summary", what: "modified" },
    { bump: "patch", where: "info description", what: "modified" },
    { bump: "major", where: "security/0", what: "`Key` is no longer a way to authenticate" },
  ]);
});

test("differencesOf knows a renamed path by its old name", async () => {
  expect(await differences(["/v1/echo:", "/v1/repeat:"])).toMatchObject([
    { bump: "major", path: "/v1/echo", what: expect.stringContaining("was renamed to `/v1/repeat`") },
  ]);
});
