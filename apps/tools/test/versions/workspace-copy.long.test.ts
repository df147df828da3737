/** Runs the commands that change the tree in one copy of the workspace: install, lint, build, version. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inc } from "semver";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { keepReleased } from "../../src/versions/last-release.ts";
import { publicPackages, root } from "../../src/workspace/packages.ts";

const group = ["@chain-query/openapi", "@chain-query/types", "@chain-query/client"];
const version = ["apps/tools/src/versions/command.ts"];
const semverPolicy = ["apps/tools/src/check/command.ts", "semver-policy"];
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "chain-query-workspace-"));
  const options = { cwd: root, encoding: "utf8" } as const;
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], options);
  for (const file of files.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  execFileSync("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: folder, stdio: "pipe" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgSign=false"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" });
}

function commit(): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", "a change");
}

function read(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

function edit(path: string, from: string, to: string): void {
  expect(read(path)).toContain(from);
  writeFileSync(join(folder, path), read(path).replace(from, to));
}

async function run(command: string, args: readonly string[]): Promise<{ status: number | null; output: string }> {
  const env = { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" };
  const child = spawn(command, args, { cwd: folder, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const [status] = await once(child, "close");
  return { status, output };
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
    const { status, output } = await turbo(...args);
    expect(status).not.toBe(0);
    expect(output).toMatch(/paths\/lookupBlock\.yaml:4:\d+/);
    expect(output).toContain("A summary begins with Read, List, Find, Locate or Look up and has no full stop.");
    expect(existsSync(join(folder, "packages/types/dist"))).toBe(false);
  }
  const tests = await node("apps/tools/src/test/command.ts", "system");
  expect(tests.status, tests.output).toBe(1);
  expect(tests.output).toMatch(/^Failed tests:\n {2}build$/m);
  expect(tests.output).toMatch(/^0 passed, 1 failed$/m);

  edit(path, "summary: Fetches a block.", "summary: Look up a block");
  const { status, output } = await turbo("build", "--filter=@chain-query/client...");
  expect(status, output).toBe(0);
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
    git("init", "--quiet");
    commit();
    git("tag", "start");
  });
  beforeEach(() => {
    git("reset", "--quiet", "--hard", "start");
    git("clean", "-d", "--force", "--quiet");
  });

  test("raises versions, writes changelogs and keeps the bundle", async () => {
    addMember();
    announce("minor");
    await turbo("generate", "--filter=@chain-query/types...");
    commit();
    const { status, output } = await node(...version);
    expect(status, output).toBe(0);

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
    commit();
    expect(await node(...semverPolicy)).toEqual({
      status: 0,
      output: `contract: unchanged since ${next}\n`,
    });
    execFileSync("pnpm", ["install", "--frozen-lockfile", "--offline"], { cwd: folder, stdio: "pipe" });
    expect(git("status", "--porcelain")).toBe("");
  });

  test("refuses a dirty tree, and a bump that is too small with the command that fixes it", async () => {
    addMember();
    announce("patch");
    const dirty = await node(...version);
    expect(dirty.status).toBe(2);
    expect(dirty.output).toMatch(
      /^version: openapi\/components\S* and 1 more differ from the commit; commit or stash first\n$/,
    );

    commit();
    const { status, output } = await node(...version);
    expect(status).toBe(2);
    const lines = output.replaceAll(/^version: /gm, "");
    expect(lines).toContain("minor  contract: POST /api/v2/getAddressInformation");
    expect(output).toContain("This needs a minor bump");
    expect(git("status", "--porcelain")).toBe("");

    expect(await node(...semverPolicy)).toEqual({ status: 1, output: lines });
    const [, fix = ""] = /^To fix it: pnpm (changeset .*) "[^"]*"$/m.exec(lines) ?? [];
    execFileSync("pnpm", ["--silent", ...fix.split(" "), "An account has a rent."], { cwd: folder, stdio: "pipe" });
    const fixed = await node(...semverPolicy);
    expect(fixed.status, fixed.output).toBe(0);
    expect(fixed.output).toMatch(/^contract: \d+ changes? since .*, minor, announced by \.changeset\/.*\.md$/m);
  });

  test("takes everything back if a step fails", async () => {
    edit("openapi/package.json", "node tools/stamp-version.ts", "exit 7");
    announce("patch");
    commit();
    const { status, output } = await node(...version);
    expect(status).toBe(1);
    expect(output).toContain("run after-version failed; the tree is as before");
    expect(git("status", "--porcelain")).toBe("");
  });

  test("takes everything back on Ctrl-C", async () => {
    announce("patch");
    commit();
    const child = spawn(process.execPath, ["--conditions=@chain-query/source", ...version], { cwd: folder, stdio: "ignore" });
    const ended = once(child, "close");
    while (!existsSync(join(folder, "openapi/CHANGELOG.md"))) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(git("status", "--porcelain")).toBe("");
  });
});
