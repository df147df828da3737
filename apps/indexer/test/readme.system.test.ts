import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const packages = ["@chain-query/indexer", "@chain-query/postgres-store"];

test("a consumer's compiler accepts the code of the READMEs", async () => {
  mkdirSync(join(packageFolder, ".reports"), { recursive: true });
  // Inside the package, so that package names resolve to the built files.
  const folder = mkdtempSync(join(packageFolder, ".reports", "readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const blocks = packages.flatMap((name) => {
    const readme = readFileSync(new URL("README.md", import.meta.resolve(`${name}/package.json`)), "utf8");
    return Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = ""]) => code);
  });
  expect(blocks.length).toBeGreaterThanOrEqual(3);
  for (const [i, code] of blocks.entries()) writeFileSync(join(folder, `block-${i + 1}.ts`), code);
  const options = fileURLToPath(new URL("../../../tsconfig.consumer.json", import.meta.url));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: options, include: ["*.ts"] }));
  const compiler = join(packageFolder, "node_modules/typescript/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch((failed) => failed);
  expect(stdout).toBe("");
});
