import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startMock } from "@chain-query/mock";
import { codeBlocks, type Programs, writePrograms } from "@chain-query/testing/markdown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as client from "../../src/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

interface Block {
  name: string;
  /** A complete program: the first lines of the first block are prepended to a block that creates no client. */
  source: string;
  /** Expected output, from the text block that follows it. */
  printed: string | undefined;
}

function blocksOf(markdown: string): Block[] {
  const found = codeBlocks(markdown, "ts");
  const start = found[0]?.text.split("\n\n").slice(0, 2).join("\n\n") ?? "";
  return found.map(({ text, line, printed }) => {
    const source = /\bconst (chain|baseUrl) = /.test(text) ? text : `${start}\n${text}`;
    return {
      name: `line ${line}`,
      source,
      printed: printed?.isDirect && printed.language === "text" ? printed.text : undefined,
    };
  });
}

// The package of the types cannot import the mock, so its README is checked here.
const ofTypes = readFileSync(new URL("README.md", import.meta.resolve("@chain-query/types/package.json")), "utf8");
const ofRepository = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8");
const blocks = [readme, ofTypes, ofRepository].flatMap(blocksOf);
const fileOf = (block: Block) => `block-${blocks.indexOf(block)}.ts`;

let programs: Programs;
let mock: Awaited<ReturnType<typeof startMock>>;

beforeAll(async () => {
  mock = await startMock();
  const files = blocks.map((block) => [fileOf(block), block.source.replaceAll("http://127.0.0.1:4010", mock.url)]);
  programs = writePrograms(root, Object.fromEntries(files));
});
afterAll(async () => {
  await mock.close();
  programs.dispose();
});

describe("README.md", () => {
  test("has code that a consumer's compiler accepts", async () => {
    expect(await programs.compile()).toBe("");
  });

  test("has code that runs and prints what it shows", async () => {
    const printed = await programs.runAll(blocks.map(fileOf));
    expect(blocks.map((block) => [block.name, printed[fileOf(block)]])).toEqual(
      blocks.map((block) => [block.name, block.printed ?? ""]),
    );
  });

  test("has the options within the first 120 of at most 250 lines", () => {
    expect(readme.split("\n").length).toBeLessThanOrEqual(251);
    const [options, next] = ["## Options", "## Errors"].map((heading) => readme.split("\n").indexOf(heading) + 1);
    expect(options).toBeGreaterThan(1);
    expect(next).toBeGreaterThan(Number(options));
    expect(next).toBeLessThanOrEqual(120);
  });

  test("names every class of error", () => {
    const classes = Object.entries(client).filter(([name]) => name.endsWith("Error"));
    expect(classes.length).toBeGreaterThan(10);
    for (const [name] of classes) expect(readme).toMatch(new RegExp(`^\\|.*\`${name}\``, "m"));
  });

  test("names every option", async () => {
    const baseUrl = "http://127.0.0.1:9";
    const rejected = (call: () => unknown) => (async () => call())().then(String, String);
    const messages = await Promise.all([
      rejected(() => client.createClient({ baseUrl, ...JSON.parse('{"nonsense":1}') })),
      rejected(() => client.createClient({ baseUrl }).getConsensusBlock(JSON.parse('{"nonsense":1}'))),
    ]);
    for (const message of messages) {
      const names = / must be among (.*), got nonsense$/.exec(message)?.[1]?.split(", ") ?? [];
      expect(names.length).toBeGreaterThan(3);
      for (const name of names) expect(readme).toMatch(new RegExp(`^\\| \`${name}\` `, "m"));
    }
  });
});
