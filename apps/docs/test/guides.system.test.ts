/** The guides say what is true: their code is run against the mock, and prints what they show. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Mock, startMock } from "@chain-query/mock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { landingPage } from "../src/pages/landing.ts";
import { codeOf, type GuideCode, guideCode, printsAs } from "./guide-code.ts";
import { runShell, writeCommands } from "./guide-commands.ts";

const run = promisify(execFile);
const room = fileURLToPath(new URL("../", import.meta.url));
const shownUrl = "http://127.0.0.1:4010";
// The landing page shows code as well.
const landingMarkdown = landingPage().markdown ?? "";
const blocks = [...guideCode(), ...codeOf("landing.md", landingMarkdown)];
const programs = blocks.filter(({ language, file }) => language === "ts" && file === undefined);
const files = blocks.filter(({ file }) => file !== undefined);
const commands = blocks.filter(({ language }) => language === "sh");

let folder: string;
let mock: Mock;
const pathOf = ({ place, file }: GuideCode): string =>
  join(folder, file === undefined ? `${place.replace(".md:", "-")}.ts` : join(place.replace(/\.md:.*/, ""), file));

beforeAll(async () => {
  mock = await startMock();
  // Inside the package, so that its dependencies are found.
  mkdirSync(join(room, ".reports"), { recursive: true });
  folder = mkdtempSync(join(room, ".reports", "guides-"));
  for (const block of [...programs, ...files]) {
    mkdirSync(dirname(pathOf(block)), { recursive: true });
    writeFileSync(pathOf(block), block.program.replaceAll(shownUrl, mock.url));
  }
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: "es2023",
    lib: ["es2023", "dom"],
    module: "nodenext",
    types: ["node"],
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }));
  writeCommands(join(folder, "bin"));
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

function expectPrinted({ printed }: GuideCode, output: string): void {
  const shown = output.replaceAll(mock.url, shownUrl);
  if (printed?.language === "json") expect(JSON.parse(shown)).toEqual(JSON.parse(printed.text));
  else if (printed && !printsAs(printed.text, shown)) expect(shown.trim()).toBe(printed.text.trim());
}

describe("guides", () => {
  test("have code that a reader's compiler accepts", async () => {
    const compiler = join(room, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [compiler, "-p", folder]).catch((failed) => failed);
    expect(stdout).toBe("");
  });

  test.concurrent.for(programs)("have a program that runs: $place", async (block, { expect }) => {
    const { stdout, stderr } = await run(process.execPath, [pathOf(block)], { cwd: folder });
    expect(stderr).toBe("");
    expectPrinted(block, stdout);
  });

  test.concurrent.for(commands)("have a command that runs: $place", async (block) => {
    const code = block.code.replaceAll(shownUrl, mock.url);
    expectPrinted(block, await runShell(code, join(folder, "bin"), folder));
  });

  test.for(files.filter(({ file }) => file?.endsWith(".test.ts")))(
    "have a test that passes: $place",
    async (block, { expect }) => {
      const root = join(folder, block.place.replace(/\.md:.*/, ""));
      const vitest = join(room, "node_modules/vitest/vitest.mjs");
      const { stdout } = await run(process.execPath, [vitest, "run", "--root", root, block.file ?? ""], {
        env: { ...process.env, NO_COLOR: "1" },
      }).catch((failed) => failed);
      expect(stdout).toMatch(/Test Files\s+1 passed/);
    },
  );
});
