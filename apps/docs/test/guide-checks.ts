/** Tests of the code of the guides: it compiles, runs against the mock, and prints the documented output. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Mock, startMock } from "@chain-query/mock";
import { printsAs, writeNpx } from "@chain-query/testing/markdown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { landingPage } from "../src/pages/landing.ts";
import { codeOf, type GuideCode, guideCode } from "./guide-code.ts";
import { type Programs, run, writePrograms } from "./programs.ts";

const packageFolder = fileURLToPath(new URL("../", import.meta.url));
const shownUrl = "http://127.0.0.1:4010";
const landingMarkdown = landingPage().markdown ?? "";
const blocks = [...guideCode(), ...codeOf("landing.md", landingMarkdown)];
const programs = blocks.filter(({ language, file }) => language === "ts" && file === undefined);
const files = blocks.filter(({ file }) => file !== undefined);
const commands = blocks.filter(({ language }) => language === "sh");

const fileOf = ({ place, file }: GuideCode): string =>
  file === undefined ? `${place.replace(".md:", "-")}.mts` : join(place.replace(/\.md:.*/, ""), file);

function expectPrinted({ place, printed }: GuideCode, shown: string): void {
  if (printed?.language === "json") expect(JSON.parse(shown), place).toEqual(JSON.parse(printed.text));
  else if (printed && !printsAs(printed.text, shown)) expect(shown.trim(), place).toBe(printed.text.trim());
}

/** Tests of the code of all guides: short ones run the programs and the commands of the quick start, others the rest. */
export function checkGuides({ isShort = false }: { isShort?: boolean } = {}): void {
  let mock: Mock;
  let written: Programs;
  beforeAll(async () => {
    mock = await startMock();
    written = writePrograms({
      ...Object.fromEntries(
        [...programs, ...files].map((block) => [fileOf(block), block.program.replaceAll(shownUrl, mock.url)]),
      ),
      // As `npm init -y` writes it.
      "package.json": '{ "type": "commonjs" }',
    });
    writeNpx(join(written.folder, "bin"));
  });
  afterAll(async () => {
    await mock?.close();
    written?.dispose();
  });

  /** The output of commands. A mock is stopped after its start-up message. */
  async function typed(code: string): Promise<string> {
    const isMock = code.startsWith("npx @chain-query/mock");
    const env = { ...process.env, PATH: `${join(written.folder, "bin")}:${process.env["PATH"]}` };
    const command = isMock ? `exec ${code.trim()} --port 0` : code;
    const shell = spawn("bash", ["--norc", "-euo", "pipefail", "-c", command], { cwd: written.folder, env });
    let output = "";
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding("utf8").on("data", (part: string) => {
        output += part;
        if (isMock && output.includes("tryLocateSourceTx")) shell.kill();
      });
    }
    const [status] = await once(shell, "close");
    if (!isMock) expect(status, output).toBe(0);
    return output.replaceAll("\r", "").replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, shownUrl);
  }

  const asShown = (output: string): string => output.replaceAll(mock.url, shownUrl);

  describe("guides", () => {
    if (isShort)
      test("have code that compiles with a strict compiler", async () => {
        expect(await written.compile()).toBe("");
      });

    if (isShort)
      test("have programs that run", async () => {
        const names = programs.map(fileOf);
        const outputs = await written.runAll(names);
        for (const block of programs) expectPrinted(block, asShown(outputs[fileOf(block)] ?? ""));
      });

    test.concurrent.for(commands.filter(({ place }) => place.startsWith("quick-start.md:") === isShort))(
      "have a command that runs: $place",
      async (block) => {
        const [, packages] = /^npm install (.*)\n$/.exec(block.code) ?? [];
        const names = packages?.split(" ").filter((word) => !word.startsWith("-"));
        if (names) for (const name of names) expect(Object.keys(manifest.devDependencies), block.place).toContain(name);
        else expectPrinted(block, await typed(block.code.replaceAll(shownUrl, mock.url)));
      },
    );

    if (!isShort)
      test("have tests that pass", async () => {
        const tests = files.filter(({ file }) => file?.endsWith(".test.ts")).map(fileOf);
        const vitest = join(packageFolder, "node_modules/vitest/vitest.mjs");
        // The tests of another guide pass with this configuration too.
        const config = join(written.folder, "testing/vitest.config.ts");
        const { stdout } = await run(
          process.execPath,
          [vitest, "run", "--config", config, "--root", written.folder, ...tests],
          {
            env: { ...process.env, NO_COLOR: "1" },
          },
        ).catch((failed) => failed);
        expect(stdout).toMatch(new RegExp(`Test Files\\s+${tests.length} passed`));
        expect(tests.length).toBeGreaterThan(1);
      });
  });
}
