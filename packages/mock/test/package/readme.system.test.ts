/** The code of the README runs and prints the documented output. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { codeBlocks, type Programs, run, writePrograms } from "@chain-query/testing/markdown";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

const blocks = codeBlocks(readme, "sh", "ts").map(({ language, text, printed }, index) => ({
  name: `${index + 1}. ${language}`,
  language,
  code: text,
  printed: printed?.text,
}));

const isTest = (code: string): boolean => code.includes('from "vitest"');
const options = { setupFiles: ["@chain-query/mock/vitest"], reporters: ["tree"] };
let programs: Programs;
beforeAll(() => {
  const ofLanguage = blocks.filter(({ language }) => language === "ts");
  programs = writePrograms(root, {
    ...Object.fromEntries(ofLanguage.map(({ code }) => [isTest(code) ? "readme.test.ts" : "block.ts", code])),
    "vitest.config.ts": `export default ${JSON.stringify({ test: options })};\n`,
  });
});
afterAll(() => programs.dispose());

test("each block of the README is followed by its output", () => {
  expect(blocks.map(({ language }) => language)).toEqual(["sh", "ts", "ts"]);
  for (const { name, printed } of blocks) expect(printed, name).toBeDefined();
});

test.for(blocks)("$name prints the documented output", async ({ language, code, printed = "" }) => {
  const output = await outputOf(language, code);
  // A line of one ellipsis stands for any lines.
  const shown = printed.split(/^…\n/m);
  let rest = output;
  for (const part of shown) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
});

async function outputOf(language: string | undefined, code: string): Promise<string> {
  if (language === "sh") {
    expect(code).toBe("npx @chain-query/mock\n");
    return startOutput();
  }
  return isTest(code) ? vitestOutput() : ((await programs.runAll(["block.ts"]))["block.ts"] ?? "");
}

/** The output of the command before the first request, with its default port. */
async function startOutput(): Promise<string> {
  const child = spawn(process.execPath, [join(root, "bin/chain-query-mock.js"), "--port", "0"]);
  try {
    let output = "";
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (output.split("\ncurl ").length > 8 && output.endsWith("\n\n")) break;
    }
    return output.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:4010");
  } finally {
    child.kill();
  }
}

async function vitestOutput(): Promise<string> {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { stdout } = await run(process.execPath, [vitest, "run", "--no-color"], { cwd: programs.folder });
  return stdout.replaceAll(/ \d+ms$/gm, "");
}
