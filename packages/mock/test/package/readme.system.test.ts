/** The code of the README runs and prints the documented output. */
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const run = promisify(execFile);

const blocks = [...readme.matchAll(/^```(sh|ts)\n(.*?)^```\n(?:(?:\n[^`#]*)?\n```text\n(.*?)^```\n)?/gms)].map(
  ([, language, code = "", printed], index) => ({ name: `${index + 1}. ${language}`, language, code, printed }),
);

let folder: string;
beforeAll(() => {
  mkdirSync(join(root, ".reports"), { recursive: true });
  // Inside the package, so that its name resolves to its exports.
  folder = mkdtempSync(join(root, ".reports", "readme-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

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
  if (code.includes('from "vitest"')) return vitestOutput(code);
  writeFileSync(join(folder, "block.ts"), code);
  return (await run(process.execPath, ["block.ts"], { cwd: folder })).stdout;
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

async function vitestOutput(code: string): Promise<string> {
  writeFileSync(join(folder, "readme.test.ts"), code);
  const options = { setupFiles: ["@chain-query/mock/vitest"], reporters: ["tree"] };
  writeFileSync(join(folder, "vitest.config.ts"), `export default ${JSON.stringify({ test: options })};\n`);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { stdout } = await run(process.execPath, [vitest, "run", "--no-color"], { cwd: folder });
  return stdout.replaceAll(/ \d+ms$/gm, "");
}
