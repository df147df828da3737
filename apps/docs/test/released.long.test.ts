/** When the workflow publishes: only a released state. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";

const run = promisify(execFile);
let repository: string;
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), "chain-query-released-"));
  for (const folder of ["apps/docs", "openapi", ".changeset"]) await mkdir(join(repository, folder), { recursive: true });
  await cp(fileURLToPath(new URL("../released.sh", import.meta.url)), join(repository, "apps/docs/released.sh"));
  await writeFile(join(repository, ".changeset/README.md"), "");
  await git("init", "--quiet");
  await version("2.0.0");
});
afterAll(() => rm(repository, { recursive: true }));

const git = (...args: string[]): Promise<unknown> =>
  run("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: repository });
async function version(number: string): Promise<void> {
  await writeFile(
    join(repository, "openapi/package.json"),
    `{\n  "name": "x",\n  "version": "${number}",\n  "type": "module"\n}\n`,
  );
  await git("add", ".");
  await git("commit", "--quiet", "--message", number);
}
const said = async (): Promise<string> => (await run("bash", [join(repository, "apps/docs/released.sh")])).stdout;

describe("released.sh", () => {
  test("is ready after a release, until there are unreleased changes", async () => {
    expect(await said()).toBe("versions=\nready=false\n");
    await git("tag", "@chain-query/openapi@2.0.0");
    await git("tag", "@chain-query/mock@2.3.0");
    expect(await said()).toBe("versions=2.0.0\nready=true\n");
    await writeFile(join(repository, ".changeset/better.md"), "");
    expect(await said()).toBe("versions=2.0.0\nready=false\n");
    await rm(join(repository, ".changeset/better.md"));
    await version("2.1.0");
    expect(await said()).toBe("versions=2.0.0\nready=false\n");
    await git("tag", "@chain-query/openapi@2.1.0");
    expect(await said()).toBe("versions=2.0.0,2.1.0\nready=true\n");
  });
});

describe("docs.yml", () => {
  test("gives each job minimal permissions, and pins actions to commits", async () => {
    const text = await readFile(new URL("../../../.github/workflows/docs.yml", import.meta.url), "utf8");
    const { permissions, jobs } = parse(text);
    expect(permissions).toEqual({});
    expect(jobs.build.permissions).toEqual({ contents: "read" });
    expect(jobs.deploy.permissions).toEqual({ pages: "write", "id-token": "write" });
    const uses = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(uses).toHaveLength(4);
    for (const action of uses) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
  });
});
