/** The semver gate in repositories of its own. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const gate = fileURLToPath(new URL("../semver/gate.ts", import.meta.url));
const group = ["@chain-query/openapi", "@chain-query/types", "@chain-query/client"];
const contract = `openapi: 3.1.0
info: { title: Echo, version: 2.0.0, description: It repeats. }
security: [{ Key: [] }, {}]
components: { securitySchemes: { Key: { type: apiKey, in: header, name: X-Key } } }
paths:
  /api/v2/echo:
    get:
      operationId: echo
      summary: Repeat a word
      parameters:
        - { name: times, in: query, schema: { type: integer, default: 1, maximum: 9 } }
        - { name: pause, in: query, schema: { type: integer, default: 5 } }
      responses:
        "200":
          description: It.
          content:
            application/json:
              schema: { type: object, required: [word], properties: { word: { type: string }, kind: { enum: [a, b] } } }
`;
let root: string;
let folder: string;

function git(...args: readonly string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgSign=false"];
  execFileSync("git", [...identity, ...args], { cwd: folder, stdio: "pipe" });
}

const version = (number: string) => writeFileSync(join(folder, "package.json"), JSON.stringify({ version: number }));

function edit(...edits: readonly (readonly [from: string, to: string])[]): void {
  const file = join(folder, "openapi.yaml");
  const after = edits.reduce(
    (text, [from, to]) => {
      expect(text).toContain(from);
      return text.replaceAll(from, to);
    },
    readFileSync(file, "utf8"),
  );
  writeFileSync(file, after);
}

function announce(level: string, names: readonly string[] = group): void {
  const releases = names.map((name) => `"${name}": ${level}\n`).join("");
  writeFileSync(join(root, ".changeset/a-change.md"), `---\n${releases}---\n\nSomething new.\n`);
}

function check(cwd: string = folder): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [gate], { cwd, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "chain-query-semver-"));
  folder = join(root, "openapi");
  for (const path of [folder, join(root, ".changeset")]) mkdirSync(path);
  writeFileSync(join(folder, "openapi.yaml"), contract);
  writeFileSync(join(root, ".changeset/README.md"), "# Changesets\n");
  version("2.0.0");
  git("init", "--quiet", "..");
  git("add", "--all", "..");
  git("commit", "--quiet", "--message", "a release");
  git("tag", "@chain-query/openapi@2.0.0");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a removed field is refused and named, with any changeset, unless every path has moved", () => {
  edit([", kind: { enum: [a, b] }", ""]);
  announce("minor");
  const { status, output } = check();
  expect(status).toBe(1);
  expect(output).toMatch(
    /^Changed since @chain-query\/openapi@2\.0\.0:\n {2}major {2}GET \/api\/v2\/echo .*kind.*\nThis breaks callers of \/api\/v2\//,
  );

  announce("major");
  expect(check().output).toContain("This breaks callers of /api/v2/, which no changeset allows.");
  edit(["/api/v2/", "/api/v3/"]);
  expect(check()).toMatchObject({ status: 0, output: expect.stringContaining("major, announced") });
});

test("an addition needs one changeset that names the whole group, or the version that it made", () => {
  edit(["word: { type: string }", "word: { type: string }, more: { type: string }"]);
  const { status, output } = check();
  expect(status).toBe(1);
  expect(output).toMatch(/\n {2}minor {2}GET \/api\/v2\/echo .*more/);
  expect(output).toContain(`To fix it: pnpm changeset --minor ${group.join(",")} -m`);
  announce("minor", group.slice(1));
  expect(check().status).toBe(1);
  announce("patch");
  expect(check().status).toBe(1);
  announce("minor");
  expect(check()).toMatchObject({ status: 0, output: expect.stringContaining("minor, announced") });
  // After `pnpm run version`, before the tag; a prerelease is no baseline.
  rmSync(join(root, ".changeset/a-change.md"));
  git("commit", "--all", "--quiet", "--message", "versions");
  git("tag", "@chain-query/openapi@2.1.0-next.0");
  for (const made of ["2.1.0-next.0", "2.1.0"]) {
    version(made);
    expect(check()).toMatchObject({ status: 0, output: expect.stringContaining("since @chain-query/openapi@2.0.0") });
  }
  version("2.0.1");
  expect(check().status).toBe(1);
});

test("a major without its path prefix is refused", () => {
  announce("major");
  expect(check().output).toBe(
    "The changesets would make 2.0.0 3.0.0, and the contract has /api/v2/ only.\n" +
      "To fix it: write minor or patch, or move every path to /api/v3/\n",
  );
});

test("changes are rated by the rules of Redocly and ours, and the number of the version does not count", () => {
  edit(
    ["version: 2.0.0", "version: 2.1.0"],
    ["default: 1, maximum: 9", "default: 2, maximum: 8"],
    [", default: 5", ""],
    ["{ Key: [] }, {}", "{}"],
    ["enum: [a, b]", "enum: [a, b, c]"],
    ["required: [word]", "required: []"],
  );
  const lines = check().output.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "  major  GET /api/v2/echo parameters/0/schema default: Default changed from '1' to '2'",
      expect.stringMatching(/^ {2}major {2}GET \/api\/v2\/echo parameters\/0\/schema maximum: /),
      "  major  GET /api/v2/echo parameters/1/schema default: Default '5' was removed",
      "  major  security/0: `Key` is no longer a way to authenticate",
      expect.stringMatching(/^ {2}major {2}GET \/api\/v2\/echo responses\/200\/.*kind enum: /),
      expect.stringMatching(/^ {2}major {2}GET \/api\/v2\/echo responses\/200\/.*required: /),
    ]),
  );
  expect(lines.filter((line) => line.includes("version"))).toEqual([]);
});

test("text is a patch, and what a program may rely on is more", () => {
  edit(["Repeat a word", "Say it again"], ["It repeats.", "It says it again."]);
  expect(check().output).toContain("This needs a patch bump");
  edit(["operationId: echo", "operationId: echo\n      deprecated: true"]);
  expect(check().output).toContain("  minor  GET /api/v2/echo deprecated: `deprecated` was changed\nThis needs a minor bump");
});

test("a clone without the baseline fails with the command that fetches it", () => {
  git("commit", "--quiet", "--allow-empty", "--message", "later");
  const clone = join(root, "clone");
  execFileSync("git", ["clone", "--quiet", "--depth", "1", "--no-tags", `file://${root}`, clone]);
  const home = join(clone, "openapi");
  const fetch = "git fetch --tags --unshallow origin";
  const { status, output } = check(home);
  expect(status).toBe(1);
  expect(output).toBe(
    `This clone lacks a tag of @chain-query/openapi, which the contract is compared with.\nTo fix it: ${fetch}\n`,
  );

  // Before the first release.
  const commit = execFileSync("git", ["rev-parse", "HEAD~1"], { cwd: root, encoding: "utf8" });
  git("tag", "--delete", "@chain-query/openapi@2.0.0");
  writeFileSync(join(home, "baseline"), commit);
  expect(check(home)).toMatchObject({ status: 1, output: expect.stringContaining(`lacks the commit ${commit.trim()}`) });
  execFileSync("sh", ["-c", fetch], { cwd: home, stdio: "pipe" });
  expect(check(home)).toMatchObject({ status: 0, output: expect.stringContaining(`unchanged since ${commit.trim()}`) });
});
