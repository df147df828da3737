import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { publishedManifest } from "../../src/rehearsal/catalogue.ts";
import { type Registry, startRegistry } from "../../src/rehearsal/registry.ts";
import { type Fixture, makeFixture, manifestOf, type Released } from "./fixture.ts";

const never = new AbortController().signal;
let storage: string;
let fixture: Fixture;

beforeAll(() => {
  storage = mkdtempSync(join(tmpdir(), "chain-query-registry-"));
});
afterAll(() => rmSync(storage, { recursive: true, force: true }));
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => fixture.remove());

/** A registry of its own for each test, with someone who may publish everything and someone who may not publish `mid`. */
async function freshRegistry(): Promise<Registry & { owner: string; helper: string }> {
  const rules = { "@fixture/mid": "owner", "@fixture/*": "owner helper" };
  const registry = await startRegistry(mkdtempSync(join(storage, "one-")), rules, never);
  return Object.assign(registry, { owner: await registry.addUser("owner"), helper: await registry.addUser("helper") });
}

const has = async ({ url }: Registry, name: string, version = "1.0.0") =>
  (await publishedManifest(url, `@fixture/${name}`, version)) !== undefined;

/** One line on stderr, which is this, and the exit code of bad input. */
function refused({ code, stderr }: Released, expected: RegExp): void {
  expect(stderr).toMatch(expected);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(code).toBe(2);
}

describe("release", () => {
  test("publishes every public package after those that it depends on", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.owner);
    const { code, stdout, stderr } = await fixture.release();
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n")).toEqual([
      "published @fixture/zeta 1.0.0 as latest",
      "published @fixture/mid 1.0.0 as latest",
      "published @fixture/alpha 1.0.0 as latest",
      `3 published to ${registry.url}, their tarballs and bills of materials are in dist/release`,
    ]);
    expect(await publishedManifest(registry.url, "@fixture/mid", "1.0.0")).toMatchObject({
      dependencies: { "@fixture/zeta": "1.0.0" },
    });
    expect(await has(registry, "inner", "0.0.0")).toBe(false);
  });

  test("tags what it published, and tells of the tags where changesets' action reads it", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.owner);
    await fixture.release();
    expect(fixture.git("tag", "--points-at", "HEAD").trim().split("\n")).toEqual([
      "@fixture/alpha@1.0.0",
      "@fixture/mid@1.0.0",
      "@fixture/zeta@1.0.0",
    ]);
    const events = readFileSync(join(fixture.folder, "dist/events"), "utf8").trim().split("\n");
    expect(JSON.parse(events[0] ?? "")).toEqual({ type: "git-tag", tag: "@fixture/zeta@1.0.0", packageName: "@fixture/zeta" });
    expect(events).toHaveLength(3);
  });

  test("leaves pushing the tags to who released by hand", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.owner);
    fixture.env["CHANGESETS_OUTPUT"] = "";
    expect((await fixture.release()).stdout).toMatch(/\nNext: `git push --tags`, .*\n$/);
    const files = readdirSync(join(fixture.folder, "dist/release")).sort();
    expect(files).toEqual(
      ["alpha", "mid", "zeta"].flatMap((name) => [`fixture-${name}-1.0.0.cdx.json`, `fixture-${name}-1.0.0.tgz`]),
    );
  });

  test("stops where the registry refuses, and goes on from there", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.helper);
    const first = await fixture.release();
    refused(
      first,
      /^release: \S+ refuses @fixture\/mid 1\.0\.0: .*403 Forbidden.*helper is not allowed.*; 1 published before it, run it again/,
    );
    expect(first.stdout).toBe("published @fixture/zeta 1.0.0 as latest\n");
    expect([await has(registry, "zeta"), await has(registry, "mid"), await has(registry, "alpha")]).toEqual([
      true,
      false,
      false,
    ]);

    fixture.use(registry.url, registry.owner);
    const second = await fixture.release();
    expect(second.code).toBe(0);
    expect(second.stdout).toContain("@fixture/zeta 1.0.0 is in the registry already\n");
    expect(second.stdout).toContain("2 published to ");
    expect([await has(registry, "mid"), await has(registry, "alpha")]).toEqual([true, true]);
  });

  test("tags what another run published but could not tag any more", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.owner);
    await fixture.release();
    fixture.git("tag", "--delete", "@fixture/mid@1.0.0");
    expect((await fixture.release("--if-new")).code).toBe(0);
    expect(fixture.git("tag", "--list")).toContain("@fixture/mid@1.0.0");
  });

  test("says that nothing is new where the registry has every version", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.owner);
    await fixture.release();
    refused(
      await fixture.release(),
      /^release: nothing is new, the registry has @fixture\/zeta 1\.0\.0, .*; pnpm run version makes new/,
    );
    const lenient = await fixture.release("--if-new");
    expect(lenient).toMatchObject({ code: 0, stderr: "" });
    expect(lenient.stdout).toContain("nothing is new");
  });

  test("names a version that the registry has with other content", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.owner);
    await fixture.release();
    fixture.write("packages/zeta/README.md", "# zeta, better told\n");
    fixture.write("packages/alpha/package.json", manifestOf("alpha", { version: "1.0.1" }));
    fixture.commit();
    const { code, stdout } = await fixture.release();
    expect(code).toBe(0);
    expect(stdout).toContain("@fixture/zeta 1.0.0 is in the registry already, with other content than this commit's\n");
    expect(stdout).toContain("@fixture/mid 1.0.0 is in the registry already\n");
    expect(stdout).toContain("published @fixture/alpha 1.0.1 as latest\n");
  });

  test("refuses a dirty tree, and names what differs", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.owner);
    fixture.write("packages/alpha/index.js", "export default 2;\n");
    refused(await fixture.release(), /^release: packages\/alpha\/index\.js differs from the commit; commit or stash first$/m);
    fixture.write("packages/alpha/new.js", "\n");
    refused(await fixture.release(), /^release: packages\/alpha\/index\.js and 1 more differ from the commit; /);
    expect(await has(registry, "zeta")).toBe(false);
  });

  test("refuses a tree that its own build changes", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.owner);
    fixture.write("build.js", `${readFileSync(join(fixture.folder, "build.js"), "utf8")}fs.writeFileSync("made.ts", "");\n`);
    fixture.commit();
    refused(await fixture.release(), /^release: made\.ts differs from the commit once it is built; /);
  });

  test("refuses without a token, before anything is published", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url);
    refused(
      await fixture.release(),
      /refuses @fixture\/zeta 1\.0\.0: .*401 Unauthorized.*; nothing was published, run it again/,
    );
    expect(fixture.git("tag", "--list")).toBe("");
  });

  test("ends with one line where no registry is there", async () => {
    const registry = await freshRegistry();
    await registry[Symbol.asyncDispose]();
    fixture.use(registry.url, registry.owner);
    refused(await fixture.release(), /^the registry does not say whether it has @fixture\/\w+ 1\.0\.0: .*Connection refused/);
  });

  test("ends with one line where the registry is broken", async () => {
    const server = createServer((_, answer) => {
      answer.statusCode = 503;
      answer.end("busy");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    fixture.use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, "token");
    refused(await fixture.release(), /^the registry does not say whether it has @fixture\/\w+ 1\.0\.0: .*503/);
    server.close();
  });

  test("publishes a prerelease under its word, and any version under the one that is given", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.owner);
    fixture.write("packages/zeta/package.json", manifestOf("zeta", { version: "1.1.0-next.0" }));
    fixture.commit();
    expect((await fixture.release()).stdout).toContain("published @fixture/zeta 1.1.0-next.0 as next\n");
    fixture.write("packages/zeta/package.json", manifestOf("zeta", { version: "1.0.2" }));
    fixture.commit();
    expect((await fixture.release("--tag", "old")).stdout).toContain("published @fixture/zeta 1.0.2 as old\n");
    const answer = await fetch(`${registry.url}@fixture%2fzeta`);
    expect(await answer.json()).toMatchObject({ "dist-tags": { next: "1.1.0-next.0", old: "1.0.2" } });
  });

  test("refuses a version that no changeset made", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.owner);
    fixture.write("packages/zeta/package.json", manifestOf("zeta", { version: "1.0.0-0" }));
    fixture.commit();
    refused(await fixture.release(), /^release: @fixture\/zeta 1\.0\.0-0 has no word to publish it under; /);
  });

  test("publishes nothing where a tarball holds what it must not", async () => {
    await using registry = await freshRegistry();
    fixture.use(registry.url, registry.owner);
    fixture.write("packages/alpha/package.json", manifestOf("alpha", { files: ["dist", "index.js"] }));
    fixture.commit();
    const { code, stderr } = await fixture.release();
    expect(code).toBe(2);
    expect(stderr).toBe(
      "release: nothing is published, since\n@fixture/alpha: index.js is not on the list of what @fixture/alpha ships\n",
    );
    expect(await has(registry, "zeta")).toBe(false);
  });

  test("refuses a flag that it does not know", async () => {
    refused(await fixture.release("--zap"), /^Unknown option '--zap'; see --help$/m);
  });
});
