/** Runs the commands that change the tree in one copy of the workspace: install, lint, build, version. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { until } from "@chain-query/testing/until";
import { inc } from "semver";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { keepReleased } from "../../src/versions/last-release.ts";
import { publicPackages, root } from "../../src/workspace/packages.ts";
import { type CommandResult, ownEnvironment, resultOf } from "../../src/workspace/processes.ts";
import { makeFixture } from "../fixture.ts";

const group = ["@chain-query/openapi", "@chain-query/types", "@chain-query/client"];
const version = ["apps/tools/src/versions/command.ts"];
const semverPolicy = ["apps/tools/src/check/command.ts", "semver-policy"];
const fixture = makeFixture();
const { folder } = fixture;

beforeAll(async () => {
  const options = { cwd: root, encoding: "utf8" } as const;
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], options);
  for (const file of files.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  execFileSync("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: folder, stdio: "pipe" });
});
afterAll(() => fixture.remove());

function read(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

function edit(path: string, from: string, to: string): void {
  expect(read(path)).toContain(from);
  writeFileSync(join(folder, path), read(path).replace(from, to));
}

function run(command: string, args: readonly string[]): Promise<CommandResult> {
  return resultOf(spawn(command, args, { cwd: folder, env: ownEnvironment() }));
}

const turbo = (...args: string[]) => run(join(folder, "node_modules/.bin/turbo"), ["run", ...args]);
/** Runs a command of this package as the scripts do, before anything is built. */
const node = (...args: string[]) => run(process.execPath, ["--conditions=@chain-query/source", ...args]);

function announce(level: string): void {
  const releases = group.map((name) => `"${name}": ${level}\n`).join("");
  writeFileSync(join(folder, ".changeset/a-change.md"), `---\n${releases}---\n\nSomething new for \`lookupBlock\`.\n`);
}

const addMember = () =>
  edit(
    "openapi/components/schemas/raw.fullAccountState.yaml",
    "properties:\n",
    "properties:\n  rent:\n    $ref: Amount.yaml\n",
  );

test("a contract that breaks the style guide stops build, lint and test before anything else is built", async () => {
  const path = "openapi/paths/lookupBlock.yaml";
  edit(path, "summary: Look up a block", "summary: Fetches a block.");
  for (const args of [["build"], ["lint", "typecheck"]]) {
    const { code, output } = await turbo(...args);
    expect(code).not.toBe(0);
    expect(output).toMatch(/paths\/lookupBlock\.yaml:4:\d+/);
    expect(output).toContain("A summary begins with Read, List, Find, Locate or Look up and has no full stop.");
    expect(existsSync(join(folder, "packages/types/dist"))).toBe(false);
  }
  const tests = await node("apps/tools/src/test/command.ts", "system");
  expect(tests.code, tests.output).toBe(1);
  expect(tests.output).toMatch(/^Failed tests:\n {2}build$/m);
  expect(tests.output).toMatch(/^0 passed, 1 failed$/m);

  edit(path, "summary: Fetches a block.", "summary: Look up a block");
  const { code, output } = await turbo("build", "--filter=@chain-query/client...");
  expect(code, output).toBe(0);
  expect(existsSync(join(folder, "packages/client/dist/index.js"))).toBe(true);
});

describe("version", () => {
  let old: string;

  beforeAll(async () => {
    for (const file of globSync(".changeset/{*.md,pre.json,pre}", { cwd: folder })) {
      if (file !== ".changeset/README.md") rmSync(join(folder, file), { recursive: true });
    }
    // As after a release: the contract equals its released copy.
    await turbo("build", "--filter=@chain-query/types...");
    old = JSON.parse(read("openapi/package.json")).version;
    keepReleased(folder, old);
    fixture.git("init", "--quiet");
    fixture.commit();
    fixture.git("tag", "start");
  });
  beforeEach(() => {
    fixture.git("reset", "--quiet", "--hard", "start");
    fixture.git("clean", "-d", "--force", "--quiet");
  });

  test("raises versions, writes changelogs and keeps the bundle", async () => {
    addMember();
    announce("minor");
    await turbo("generate", "--filter=@chain-query/types...");
    fixture.commit();
    const { code, output } = await node(...version);
    expect(code, output).toBe(0);

    const next = inc(old, "minor") ?? "";
    const versions = new Map(publicPackages(folder).map((each) => [each.name, each.version]));
    for (const name of group) expect(versions.get(name)).toBe(next);
    for (const home of ["openapi", "packages/types", "packages/client"]) {
      expect(read(`${home}/CHANGELOG.md`)).toContain(`## ${next}\n\n### New\n\n- Something new for \`lookupBlock\`.\n`);
    }
    expect(versions.get("@chain-query/mock")).toBe(inc(old, "patch"));
    expect(read("packages/mock/CHANGELOG.md")).toMatch(/- Made with `@chain-query\/.* \d/);
    expect(read("openapi/openapi.yaml")).toContain(`\n  version: ${next}\n`);
    expect(read("openapi/released/openapi.yaml").endsWith(read("openapi/dist/openapi.yaml"))).toBe(true);
    expect(existsSync(join(folder, ".changeset/a-change.md"))).toBe(false);

    // The result is complete: the contract is unchanged since this release, and the lockfile fits.
    fixture.commit();
    expect(await node(...semverPolicy)).toMatchObject({
      code: 0,
      output: `contract: unchanged since ${next}\n`,
    });
    execFileSync("pnpm", ["install", "--frozen-lockfile", "--offline"], { cwd: folder, stdio: "pipe" });
    expect(fixture.git("status", "--porcelain")).toBe("");
  });

  test("refuses a dirty tree, and a bump that is too small with the command that fixes it", async () => {
    addMember();
    announce("patch");
    const dirty = await node(...version);
    expect(dirty.code).toBe(2);
    expect(dirty.output).toMatch(
      /^version: openapi\/components\S* and 1 more differ from the commit; commit or stash first\n$/,
    );

    fixture.commit();
    const { code, output } = await node(...version);
    expect(code).toBe(2);
    const lines = output.replaceAll(/^version: /gm, "");
    expect(lines).toContain("minor  contract: POST /api/v2/getAddressInformation");
    expect(output).toContain("This needs a minor bump");
    expect(fixture.git("status", "--porcelain")).toBe("");

    expect(await node(...semverPolicy)).toMatchObject({ code: 1, output: lines });
    const [, fix = ""] = /^To fix it: pnpm (changeset .*) "[^"]*"$/m.exec(lines) ?? [];
    execFileSync("pnpm", ["--silent", ...fix.split(" "), "An account has a rent."], { cwd: folder, stdio: "pipe" });
    const fixed = await node(...semverPolicy);
    expect(fixed.code, fixed.output).toBe(0);
    expect(fixed.output).toMatch(/^contract: \d+ changes? since .*, minor, announced by \.changeset\/.*\.md$/m);
  });

  test("takes everything back if a step fails", async () => {
    edit("openapi/package.json", "node tools/stamp-version.ts", "exit 7");
    announce("patch");
    fixture.commit();
    const { code, output } = await node(...version);
    expect(code).toBe(1);
    expect(output).toContain("run after-version failed; the tree is as before");
    expect(fixture.git("status", "--porcelain")).toBe("");
  });

  test("takes everything back on Ctrl-C", async () => {
    announce("patch");
    fixture.commit();
    const child = spawn(process.execPath, ["--conditions=@chain-query/source", ...version], { cwd: folder, stdio: "ignore" });
    const ended = once(child, "close");
    await until(() => existsSync(join(folder, "openapi/CHANGELOG.md")));
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(fixture.git("status", "--porcelain")).toBe("");
  });
});
