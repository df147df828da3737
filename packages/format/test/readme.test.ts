import { readFileSync } from "node:fs";
import { codeBlocks } from "@chain-query/testing/markdown";
import { expect, test } from "vitest";
import * as blocks from "../src/blocks/index.ts";
import * as cells from "../src/cells/index.ts";
import * as dictionaries from "../src/dictionaries/index.ts";
import * as transactions from "../src/transactions.ts";

const modules = { blocks, cells, dictionaries, transactions };
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = codeBlocks(readme, "js").map(({ text }) => text);
const [, , boc] = cells.readBocRoots(readFileSync(new URL("fixtures/chain.boc", import.meta.url))).map(cells.writeBoc);

test.each([0, 1, 2, 3])("the README's example %i prints the output in its comments", (index) => {
  const code = examples[index] ?? "";
  const expected = Array.from(code.matchAll(/console\.log\(.*\/\/ (.*)$|^\/\/ (.*)$/gm), ([, first, next]) => first ?? next);
  const printed: string[] = [];
  const console = { log: (...values: unknown[]) => printed.push(values.map(inspect).join(" ")) };
  const body = code.replace(/^import (.*) from "@chain-query\/format\/(\w+)";$/gm, "const $1 = modules.$2;");
  new Function("modules", "boc", "console", body)(modules, boc, console);
  expect(printed).toEqual(expected);
});

function inspect(value: unknown): string {
  return typeof value === "bigint" ? `${value}n` : String(value);
}
