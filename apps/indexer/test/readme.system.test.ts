import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { codeBlocks, writePrograms } from "@chain-query/testing/markdown";
import { expect, onTestFinished, test } from "vitest";

const packages = ["@chain-query/indexer", "@chain-query/postgres-store"];

test("a consumer's compiler accepts the code of the READMEs", async () => {
  const blocks = packages.flatMap((name) => {
    const readme = readFileSync(new URL("README.md", import.meta.resolve(`${name}/package.json`)), "utf8");
    return codeBlocks(readme, "ts").map(({ text }) => text);
  });
  expect(blocks.length).toBeGreaterThanOrEqual(3);
  const files = Object.fromEntries(blocks.map((code, index) => [`block-${index + 1}.ts`, code]));
  const programs = writePrograms(fileURLToPath(new URL("..", import.meta.url)), files);
  onTestFinished(programs.dispose);
  expect(await programs.compile()).toBe("");
});
