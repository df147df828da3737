/** Problems in the sources end the build before it writes anything, with a line for each. */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultOptions } from "../src/site/options.ts";
import { buildSite } from "../src/site.ts";

const run = promisify(execFile);
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "chain-query-broken-"));
});
afterAll(() => rm(home, { recursive: true }));

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
  await expect(stat(out)).rejects.toThrow("ENOENT");
  return { messages: failure.message.split("\n"), length: text.split("\n").length - 1 };
}

describe("build", () => {
  test("refuses unknown names", async () => {
    const { messages, length } = await says(
      "[a](operation:findBlock)",
      "Some words and\n[a](decision:D-99)",
      "[a](nowhere.md)",
      "[a](ftp://a.test)",
      "![a](drawings/none.svg)",
    );
    expect(messages).toEqual([
      expect.stringMatching(
        `^guides/testing.md:${length + 2}: the contract has no operation findBlock; it has getAddressInformation, `,
      ),
      expect.stringMatching(`^guides/testing.md:${length + 5}: there is no decision D-99; they go from D-01 to D-`),
      expect.stringMatching(
        `^guides/testing.md:${length + 7}: nowhere.md is not a guide; expected one of account-history.md, `,
      ),
      expect.stringMatching(`^guides/testing.md:${length + 9}: ftp://a.test is not a guide`),
      expect.stringMatching(`^guides/testing.md:${length + 11}: drawings/none.svg: ENOENT`),
    ]);
  });

  test("refuses broken links", async () => {
    const { messages, length } = await says("[a](keys-and-limits.md#nowhere) [b](#neither)", "[c](site:openapi.xml)");
    expect(messages).toEqual([
      `guides/testing.md:${length + 2}: the link to keys-and-limits.md#nowhere is broken: the page guides/keys-and-limits/ has no place #nowhere`,
      `guides/testing.md:${length + 2}: the link to #neither is broken: the page guides/testing/ has no place #neither`,
      `guides/testing.md:${length + 4}: the link to site:openapi.xml is broken: there is no page or file openapi.xml`,
    ]);
  });

  test("refuses an unknown section of the contract", async () => {
    const { messages } = await says("<!-- contract: Nothing -->");
    expect(messages).toEqual(["guides/testing.md: the contract's description has no section Nothing"]);
  });

  test("refuses unknown flags and wrong values with one line and exit code 2", async () => {
    const build = fileURLToPath(new URL("../src/build.ts", import.meta.url));
    const refused = async (...flags: string[]): Promise<unknown> =>
      run(process.execPath, [build, ...flags]).catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }));
    expect(await refused("--nonsense")).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(/^.*--nonsense.*\n$/) });
    expect(await refused("--site-url", "nowhere")).toEqual({
      code: 2,
      stdout: "",
      stderr: 'build: --site-url: expected an http or https address without query and fragment, got "nowhere"\n',
    });
  });

  test("lists its flags in the help", async () => {
    const { stdout } = await run(process.execPath, [fileURLToPath(new URL("../src/build.ts", import.meta.url)), "--help"]);
    for (const flag of ["--out", "--site-url", "--archive"]) expect(stdout).toContain(flag);
  });
});
