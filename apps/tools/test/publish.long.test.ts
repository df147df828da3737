/** Releases a workspace of two packages, of which alpha depends on zeta, to a registry on loopback. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CommandResult, resultOf, runPnpm } from "@chain-query/testing/processes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { type Registry, startRegistry } from "../src/release-dry-run/registry.ts";
import { root } from "../src/workspace/packages.ts";
import { type Fixture, makeFixture } from "./fixture.ts";

const program = fileURLToPath(new URL("../src/release/command.ts", import.meta.url));
let fixture: Fixture;
let storage: Fixture;
let registry: Registry;

function manifest(name: string, dependencies: Readonly<Record<string, string>>): string {
  const repository = { type: "git", url: "git+https://example.org/fixture.git" };
  const exports = { types: "./dist/index.d.ts", default: "./dist/index.js" };
  const common = { license: "MIT", type: "module", engines: { node: ">=20" }, files: ["dist"], repository, exports };
  return JSON.stringify({ name: `@fixture/${name}`, version: "1.0.0", ...common, dependencies });
}

function release(env: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  return resultOf(spawn(process.execPath, [program, ...args], { cwd: fixture.folder, env: { ...process.env, ...env } }));
}

function use(url: string, token: string): void {
  fixture.write({ ".npmrc": `@fixture:registry=${url}\n${url.replace(/^http:/, "")}:_authToken=${token}\n` });
}

beforeAll(async () => {
  [fixture, storage] = [makeFixture(), makeFixture()];
  const license = readFileSync(join(root, "LICENSE"), "utf8");
  fixture.write({
    "package.json": JSON.stringify({ name: "fixture", private: true, scripts: { build: "node build.js" } }),
    "pnpm-workspace.yaml": stringify({ packages: ["packages/*"], verifyDepsBeforeRun: false, pmOnFail: "ignore" }),
    ".gitignore": "dist/\nnode_modules/\n.npmrc\n",
    ".changeset/config.json": JSON.stringify({ changelog: false, access: "public", baseBranch: "main" }),
    "build.js": `const { cpSync } = require("node:fs");
for (const name of ["alpha", "zeta"]) cpSync("packages/" + name + "/code", "packages/" + name + "/dist", { recursive: true });
`,
    "packages/alpha/package.json": manifest("alpha", { "@fixture/zeta": "workspace:*" }),
    "packages/zeta/package.json": manifest("zeta", {}),
    "packages/inner/package.json": JSON.stringify({ name: "@fixture/inner", version: "0.0.0", private: true }),
  });
  for (const name of ["alpha", "zeta"])
    fixture.write({
      [`packages/${name}/code/index.js`]: "export const one = 1;\n",
      [`packages/${name}/code/index.d.ts`]: "export declare const one: number;\n",
      [`packages/${name}/README.md`]: `# ${name}\n`,
      [`packages/${name}/LICENSE`]: license,
    });
  await runPnpm(["install", "--lockfile-only"], fixture.folder);
  fixture.git("init", "--quiet", "--initial-branch=main");
  fixture.commit();
  const rules = { "@fixture/alpha": "owner", "@fixture/*": "owner helper" };
  registry = await startRegistry(storage.folder, rules, new AbortController().signal);
});
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  fixture?.remove();
  storage?.remove();
});

const published = (name: string, version = "1.0.0") => registry.manifest(`@fixture/${name}`, version);

test("release refuses, publishes, goes on after a refusal of the registry, and tags", async () => {
  const [helper, owner] = [await registry.addUser("helper"), await registry.addUser("owner")];
  use(registry.url, helper);

  fixture.write({ "packages/alpha/new.js": "\n" });
  expect(await release({})).toMatchObject({
    code: 2,
    output: "release: packages/alpha/new.js differs from the commit; commit or stash first\n",
  });
  rmSync(join(fixture.folder, "packages/alpha/new.js"));

  fixture.write({ "packages/zeta/code/secret.env": "A=1\n" });
  fixture.commit();
  const unfit = await release({});
  expect(unfit.code, unfit.output).toBe(2);
  expect(unfit.output).toContain("release: nothing is published:\nrelease: @fixture/zeta: dist/secret.env is for development");
  expect(await published("zeta")).toBeUndefined();
  fixture.git("revert", "--no-edit", "HEAD");

  // A file of an earlier build is not shipped.
  fixture.write({ "packages/zeta/dist/left-over.js": "\n" });
  const half = await release({});
  expect(half.code).toBe(2);
  expect(half.output).toContain("403 Forbidden");
  expect(half.output.trimEnd()).toMatch(/release: changeset publish failed; run pnpm release again to go on$/);
  expect(await published("zeta")).toBeDefined();
  expect(await published("alpha")).toBeUndefined();

  fixture.git("tag", "--delete", "@fixture/zeta@1.0.0");
  use(registry.url, owner);
  const events = join(fixture.folder, "dist/events");
  const rest = await release({ CHANGESETS_OUTPUT: events });
  expect(rest.code, rest.output).toBe(0);
  expect(await published("alpha")).toMatchObject({ dependencies: { "@fixture/zeta": "1.0.0" } });
  expect(await published("inner", "0.0.0")).toBeUndefined();
  expect(fixture.git("tag", "--list").trim().split("\n")).toEqual(["@fixture/alpha@1.0.0", "@fixture/zeta@1.0.0"]);
  expect(readFileSync(events, "utf8")).toContain('"tag":"@fixture/alpha@1.0.0"');
  const artefacts = join(fixture.folder, "dist/release/packages");
  expect(readdirSync(artefacts).sort()).toEqual(["fixture-alpha-1.0.0.cdx.json", "fixture-alpha-1.0.0.tgz"]);
  const sbom = JSON.parse(readFileSync(join(artefacts, "fixture-alpha-1.0.0.cdx.json"), "utf8"));
  expect(sbom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", components: [{ name: "zeta" }] });

  const again = await release({});
  expect(again.code).toBe(2);
  expect(again.output).toContain("release: nothing is new; `pnpm run version` makes versions from changesets\n");
  expect((await release({}, "--if-new")).code).toBe(0);
});

test("release shows its identity and asks for provenance in a workflow", async () => {
  const asked: string[] = [];
  const claims = Buffer.from(JSON.stringify({ repository_visibility: "public" })).toString("base64url");
  const server = createServer((request, response) => {
    const url = request.url ?? "";
    asked.push(`${request.method} ${url.replace(/npm%3A[^&]*/, "npm")}`);
    if (url.startsWith("/identity")) response.end(JSON.stringify({ value: `e30.${claims}.c2ln` }));
    else if (url.includes("/oidc/token/exchange/")) response.end(JSON.stringify({ token: "for-an-hour" }));
    else response.writeHead(404).end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  fixture.write({ ".npmrc": `@fixture:registry=${url}\n` });
  // No signature is made for a test, so that the release ends before anything is sent.
  const { code } = await release({
    GITHUB_ACTIONS: "true",
    ACTIONS_ID_TOKEN_REQUEST_URL: `${url}identity?of=workflow`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "token",
  });
  server.close();
  expect(code).toBe(2);
  expect(asked.filter((each) => !each.startsWith("GET /@fixture"))).toEqual([
    "GET /identity?of=workflow&audience=npm",
    "POST /-/npm/v1/oidc/token/exchange/package/@fixture%2fzeta",
    "GET /identity?of=workflow&audience=sigstore",
  ]);
});
