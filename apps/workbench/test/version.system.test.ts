import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inc } from "semver";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { makeVersionCopy, type VersionCopy } from "./version-copy.ts";
import { refused } from "./version-refusals.ts";

// Each run builds what changed, asks both gates and runs changesets, as a person's would.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const command = "apps/workbench/src/version.ts";
let copy: VersionCopy;

beforeAll(() => {
  copy = makeVersionCopy();
});
beforeEach(() => copy.reset());
afterAll(() => copy.remove());

const addMember = () =>
  copy.edit(
    "openapi/components/schemas/raw.fullAccountState.yaml",
    "properties:\n",
    "properties:\n  rent:\n    $ref: Amount.yaml\n",
  );
const removeStatus = () =>
  copy.edit("openapi/paths/lookupBlock.yaml", `    "404":\n      $ref: ../components/responses/BlockNotFound.yaml\n`, "");

describe("version", () => {
  test("raises versions, writes changelogs, stamps the contract and keeps its bundle", () => {
    addMember();
    copy.announce("minor");
    copy.generate();
    copy.commit();
    const next = inc(copy.old, "minor") ?? "";
    const { status, output } = copy.run(command);
    expect(status, output).toBe(0);

    for (const folder of ["openapi", "packages/types", "packages/client"]) {
      expect(copy.versionOf(folder)).toBe(next);
      expect(copy.read(`${folder}/CHANGELOG.md`)).toContain(`## ${next}\n\n### New\n\n- Something new for \`lookupBlock\`.\n`);
    }
    expect(copy.versionOf("packages/mock")).toBe(inc(copy.old, "patch"));
    expect(copy.read("packages/mock/CHANGELOG.md")).toContain(`- Made with \`@chain-query/openapi\` ${next}.\n`);
    expect(copy.read("openapi/openapi.yaml")).toContain(`\n  version: ${next}\n`);
    expect(copy.read("openapi/released/openapi.yaml")).toContain(`\n  version: ${next}\n`);
    expect(copy.read("openapi/released/openapi.yaml").endsWith(copy.read("openapi/dist/openapi.yaml"))).toBe(true);
    expect(existsSync(join(copy.folder, ".changeset/a-change.md"))).toBe(false);

    // Nothing more is asked for, and nothing is left to do.
    copy.commit();
    expect(copy.run("apps/workbench/src/semver.ts")).toEqual({ status: 0, output: `contract: unchanged since ${next}\n` });
    expect(copy.run(command)).toMatchObject({ status: 2, output: expect.stringContaining("no changeset waits in .changeset") });
    copy.generate();
    execFileSync("pnpm", ["install", "--frozen-lockfile", "--offline"], { cwd: copy.folder, stdio: "pipe" });
    expect(copy.git("status", "--porcelain")).toBe("");
  });

  test("makes a series of prereleases, each measured by the release before it, and ends it", () => {
    const released = copy.read("openapi/released/openapi.yaml");
    const next = inc(copy.old, "minor") ?? "";
    copy.announce("minor");
    copy.commit();
    expect(copy.run(command, "--pre", "next")).toMatchObject({ status: 0 });
    expect(copy.versionOf("openapi")).toBe(`${next}-next.0`);
    expect(copy.read("openapi/openapi.yaml")).toContain(`\n  version: ${next}-next.0\n`);
    expect(copy.read("openapi/released/openapi.yaml")).toBe(released);
    copy.commit();

    copy.announce("patch", ["@chain-query/client"], "A fix.");
    expect(copy.run("apps/workbench/src/semver.ts")).toEqual({
      status: 2,
      output: ".changeset/a-change.md: it would replace .changeset/pre/a-change.md; give it another name\n",
    });
    rmSync(join(copy.folder, ".changeset/a-change.md"));
    copy.announce("patch", ["@chain-query/client"], "A fix.", "b-fix");
    copy.commit();
    expect(copy.run(command, "--pre", "beta").output).toContain("a series of next is under way");
    expect(copy.run(command, "--snapshot", "try").output).toContain("not within a series of prereleases");
    expect(copy.run(command)).toMatchObject({ status: 0 });
    expect(copy.versionOf("packages/client")).toBe(`${next}-next.1`);
    copy.commit();

    expect(copy.run(command, "--final")).toMatchObject({ status: 0 });
    expect(copy.versionOf("openapi")).toBe(next);
    expect(copy.read("packages/client/CHANGELOG.md")).toMatch(
      new RegExp(
        `^## ${next}\n\n### New\n\n- Something new for \`lookupBlock\`\\.\n\n### Smaller changes\n\n- A fix\\.\n`,
        "m",
      ),
    );
    expect(copy.read("openapi/released/openapi.yaml")).toContain(`\n  version: ${next}\n`);
    expect(existsSync(join(copy.folder, ".changeset/pre.json"))).toBe(false);
  });

  test("makes versions for a try, which the next release is not measured by", () => {
    const released = copy.read("openapi/released/openapi.yaml");
    copy.announce("minor");
    copy.commit();
    expect(copy.run(command, "--snapshot", "try")).toMatchObject({ status: 0 });
    expect(copy.versionOf("openapi")).toMatch(new RegExp(`^${inc(copy.old, "minor")}-try-\\d{14}$`));
    expect(copy.read("openapi/released/openapi.yaml")).toBe(released);
  });

  test("takes everything back where a step fails", () => {
    copy.edit("openapi/package.json", "node src/stamp-version.ts", "exit 7");
    copy.announce("patch");
    copy.commit();
    const { status, output } = copy.run(command);
    expect(status).toBe(1);
    expect(output).toContain("run after-version failed, and the tree is as it was");
    expect(copy.git("status", "--porcelain")).toBe("");
  });

  test("takes everything back on Ctrl-C", async () => {
    copy.announce("patch");
    copy.commit();
    const child = spawn(process.execPath, [command], { cwd: copy.folder, stdio: "ignore" });
    const ended = once(child, "close");
    while (!existsSync(join(copy.folder, "openapi/CHANGELOG.md"))) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(copy.git("status", "--porcelain")).toBe("");
  });
});

describe("version refuses", () => {
  test.for(refused)("$what, in one line, and changes nothing", ({ what, prepare, args = [], says }) => {
    prepare(copy);
    if (what !== "a dirty tree" && copy.git("status", "--porcelain") !== "") copy.commit();
    const before = copy.git("status", "--porcelain");
    const { status, output } = copy.run(command, ...args);
    expect(status, output).toBe(2);
    expect(output).toContain(says);
    expect(output.trimEnd().split("\n")).toHaveLength(1);
    expect(copy.git("status", "--porcelain")).toBe(before);
  });
});

describe("a change of the contract", () => {
  test("is listed where the bump is too small, with the command that mends it", () => {
    addMember();
    copy.announce("patch");
    copy.commit();
    const { status, output } = copy.run(command);
    expect(status).toBe(2);
    expect(copy.git("status", "--porcelain")).toBe("");
    expect(output).toContain("minor  contract: POST /api/v2/getAddressInformation");
    expect(output).toContain("This needs a minor bump, and no changeset names @chain-query/openapi");
    expect(output).toContain(".changeset/a-change.md says patch of openapi and patch of types and patch of client");

    expect(copy.run("apps/workbench/src/semver.ts")).toEqual({ status: 1, output });
    const [, mend = ""] = /^Mend it: pnpm (changeset .*) "[^"]*"$/m.exec(output) ?? [];
    execFileSync("pnpm", ["--silent", ...mend.split(" "), "An account tells its rent."], { cwd: copy.folder, stdio: "pipe" });
    const mended = copy.run("apps/workbench/src/semver.ts");
    expect(mended.status, mended.output).toBe(0);
    expect(mended.output).toMatch(/^contract: \d+ changes? since .*, minor, announced by \.changeset\/.*\.md$/m);
  });

  test("is not covered by a changeset that names one package alone", () => {
    addMember();
    copy.announce("minor", ["@chain-query/openapi"]);
    const { status, output } = copy.run("apps/workbench/src/semver.ts");
    expect(status).toBe(1);
    expect(output).toContain("says minor of openapi and nothing of types and nothing of client");
  });

  test("that breaks callers is refused whatever a changeset says", () => {
    removeStatus();
    copy.announce("minor");
    copy.commit();
    const { status, output } = copy.run(command);
    expect(status).toBe(2);
    expect(output).toContain("major  contract: POST /api/v2/lookupBlock responses/404: Response `404` was removed");
    expect(output).toContain("This breaks callers of /api/v2/, which no changeset allows.");
    expect(copy.git("status", "--porcelain")).toBe("");
  });
});
