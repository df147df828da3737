/** The folder that is published, from a repository with tags, in which `npx` only notes its arguments; and mistakes that the build refuses. */
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { sharedFolder } from "@chain-query/testing/folders";
import { describe, expect, test } from "vitest";
import { landingPage } from "../src/pages/landing.ts";
import { documentOf } from "../src/site/layout.ts";
import { defaultOptions } from "../src/site/options.ts";
import { buildSite } from "../src/site.ts";

const run = promisify(execFile);
const home = sharedFolder();

test("publishing builds the newest release, and each release from its tag, unless there are unreleased changes", async () => {
  const repository = join(home, "repository");
  for (const folder of ["apps/docs", "openapi", ".changeset", "bin"])
    await mkdir(join(repository, folder), { recursive: true });
  await cp(fileURLToPath(new URL("../publish.sh", import.meta.url)), join(repository, "apps/docs/publish.sh"));
  await writeFile(join(repository, ".changeset/README.md"), "");
  const log = join(home, "log");
  await writeFile(
    join(repository, "bin/npx"),
    `#!/bin/sh\nsed -n 's/.*"version"/version/p' openapi/package.json >> ${log}\necho "$@" >> ${log}\n`,
  );
  await chmod(join(repository, "bin/npx"), 0o755);
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: repository });
  const release = async (version: string): Promise<void> => {
    await writeFile(join(repository, "openapi/package.json"), `{\n  "version": "${version}",\n  "type": "module"\n}\n`);
    await git("add", ".");
    await git("commit", "--quiet", "--message", version);
  };
  const publish = async (): Promise<string> => {
    const env = { ...process.env, PATH: `${join(repository, "bin")}:${process.env["PATH"]}` };
    return (await run("bash", [join(repository, "apps/docs/publish.sh"), join(home, "out")], { env })).stdout;
  };
  await git("init", "--quiet");
  await release("2.0.0");
  expect(await publish()).toBe("ready=false\n");
  await git("tag", "@chain-query/openapi@2.0.0");
  await git("tag", "@chain-query/mock@2.3.0");
  await release("2.10.0");
  expect(await publish()).toBe("ready=false\n");
  await git("tag", "@chain-query/openapi@2.10.0");
  await writeFile(join(repository, ".changeset/better.md"), "");
  expect(await publish()).toBe("ready=false\n");
  await rm(join(repository, ".changeset/better.md"));
  expect(await publish()).toBe("ready=true\n");
  const lines = (await readFile(log, "utf8")).split("\n");
  const built = lines.flatMap((line, at) => (line.includes("--out") ? [`${lines[at - 1]} ${line.split("--out ")[1]}`] : []));
  const versions = "--versions 2.10.0,2.0.0";
  expect(built).toEqual([
    `version: "2.10.0", ${home}/out ${versions}`,
    `version: "2.10.0", ${home}/out/v/2.10.0 ${versions} --archive`,
    `version: "2.0.0", ${home}/out/v/2.0.0 ${versions} --archive`,
  ]);
});

test("pages link to each released version, and those of an earlier one to the latest pages", () => {
  const siteUrl = "https://docs.test/";
  const versions = ["2.10.0", "2.0.0"];
  const assets = { style: "s.css", script: "s.js", search: "f.js", index: "f.json" };
  const html = documentOf(landingPage(), { siteUrl, versions, archive: true, version: "2.0.0", assets, sections: [] });
  for (const version of versions) expect(html).toContain(`<a href="${siteUrl}v/${version}/">${version}</a>`);
  expect(html).toContain(`<a class="to-latest" href="${siteUrl}">`);
  expect(html).toContain('<meta name="robots" content="noindex" />');
});

describe("the build", () => {
  /** Adds lines to a copy of a guide and builds. Returns the messages and the number of lines before. */
  async function says(...mistakes: string[]): Promise<{ messages: string[]; length: number }> {
    const copy = await mkdtemp(join(home, "guides-"));
    await cp(fileURLToPath(defaultOptions.guides), copy, { recursive: true });
    const guide = join(copy, "testing.md");
    const text = await readFile(guide, "utf8");
    await writeFile(guide, `${text}${mistakes.map((mistake) => `\n${mistake}\n`).join("")}`);
    const out = join(copy, "out");
    const failure = await buildSite(pathToFileURL(`${out}/`), { guides: pathToFileURL(`${copy}/`) }).then(
      () => new Error("the build succeeded"),
      (error: Error) => error,
    );
    expect(await readdir(copy)).not.toContain("out");
    return { messages: failure.message.split("\n"), length: text.split("\n").length - 1 };
  }

  test("refuses unknown names and broken links before it writes anything, with a line for each", async () => {
    const { messages, length } = await says("[a](keys-and-limits.md#nowhere)", "[c](site:openapi.xml)");
    expect(messages).toEqual([
      `guides/testing.md:${length + 2}: the link to keys-and-limits.md#nowhere is broken: the page guides/keys-and-limits/ has no place #nowhere`,
      `guides/testing.md:${length + 4}: the link to site:openapi.xml is broken: there is no page or file openapi.xml`,
    ]);
  });

  test.for([
    [["--site-url", "nowhere"], /^build: --site-url: expected an http or https address .*, got "nowhere"\n$/],
    [["--versions", "x"], /^build: --versions: .*\n$/],
  ] as const)("refuses the flags %j with one line and exit code 2", async ([flags, said]) => {
    const build = fileURLToPath(new URL("../src/build.ts", import.meta.url));
    const failed = await run(process.execPath, [build, ...flags]).catch((error) => error);
    expect(failed).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(said) });
  });
});
