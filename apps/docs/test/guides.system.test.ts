/** The code of the guides compiles, runs against the mock, and prints what they show. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Mock, startMock } from "@chain-query/mock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { landingPage } from "../src/pages/landing.ts";
import { codeOf, type GuideCode, guideCode, printsAs } from "./guide-code.ts";
import { runShell, writeCommands } from "./guide-commands.ts";
import { type Programs, run, writePrograms } from "./programs.ts";

const room = fileURLToPath(new URL("../", import.meta.url));
const shownUrl = "http://127.0.0.1:4010";
const landingMarkdown = landingPage().markdown ?? "";
const blocks = [...guideCode(), ...codeOf("landing.md", landingMarkdown)];
const programs = blocks.filter(({ language, file }) => language === "ts" && file === undefined);
const files = blocks.filter(({ file }) => file !== undefined);
const commands = blocks.filter(({ language }) => language === "sh");

const fileOf = ({ place, file }: GuideCode): string =>
  file === undefined ? `${place.replace(".md:", "-")}.mts` : join(place.replace(/\.md:.*/, ""), file);

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
  writeCommands(join(written.folder, "bin"));
});
afterAll(async () => {
  await mock?.close();
  written?.dispose();
});

function expectPrinted({ printed }: GuideCode, output: string): void {
  const shown = output.replaceAll(mock.url, shownUrl);
  if (printed?.language === "json") expect(JSON.parse(shown)).toEqual(JSON.parse(printed.text));
  else if (printed && !printsAs(printed.text, shown)) expect(shown.trim()).toBe(printed.text.trim());
}

describe("guides", () => {
  test("have code that compiles with a strict compiler", async () => {
    expect(await written.compile()).toBe("");
  });

  test.concurrent.for(programs)("have a program that runs: $place", async (block, { expect }) => {
    const { stdout, stderr } = await run(process.execPath, [join(written.folder, fileOf(block))], { cwd: written.folder });
    expect(stderr).toBe("");
    expectPrinted(block, stdout);
  });

  test.concurrent.for(commands)("have a command that runs: $place", async (block) => {
    const code = block.code.replaceAll(shownUrl, mock.url);
    expectPrinted(block, await runShell(code, join(written.folder, "bin"), written.folder));
  });

  test.for(files.filter(({ file }) => file?.endsWith(".test.ts")))(
    "have a test that passes: $place",
    async (block, { expect }) => {
      const root = join(written.folder, block.place.replace(/\.md:.*/, ""));
      const vitest = join(room, "node_modules/vitest/vitest.mjs");
      const { stdout } = await run(process.execPath, [vitest, "run", "--root", root, block.file ?? ""], {
        env: { ...process.env, NO_COLOR: "1" },
      }).catch((failed) => failed);
      expect(stdout).toMatch(/Test Files\s+1 passed/);
    },
  );
});
