import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startMock } from "@chain-query/mock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as client from "../../src/index.ts";

const run = promisify(execFile);
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
  const found = [...markdown.matchAll(/^```ts\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms)];
  const start = found[0]?.[1]?.split("\n\n").slice(0, 2).join("\n\n") ?? "";
  return found.map(({ 1: code = "", 2: printed, index }) => {
    const line = markdown.slice(0, index).split("\n").length;
    const heading = /.*^#+ ([^\n]*)/ms.exec(markdown.slice(0, index))?.[1] ?? "";
    const source = /\bconst (chain|baseUrl) = /.test(code) ? code : `${start}\n${code}`;
    return { name: `${heading} (line ${line})`, source, printed };
  });
}

// The package of the types cannot import the mock, so its README is checked here.
const ofTypes = readFileSync(new URL("README.md", import.meta.resolve("@chain-query/types/package.json")), "utf8");
const ofRepository = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8");
const blocks = [readme, ofTypes, ofRepository].flatMap(blocksOf);
const fileOf = (block: Block) => `block-${blocks.indexOf(block)}.ts`;

/** Runs one block after another in one process, and prints the output of each in its last line. */
const runBlocks = `
import { format } from "node:util";
const printed: Record<string, string> = {};
for (const file of process.argv.slice(2)) {
  let text = "";
  console.log = (...values) => void (text += format(...values) + "\\n");
  await import("./" + file);
  printed[file] = text;
}
process.stdout.write(JSON.stringify(printed));
`;

let folder: string;
let mock: Awaited<ReturnType<typeof startMock>>;

beforeAll(async () => {
  mock = await startMock();
  // Inside the package, so that its name resolves to its exports.
  mkdirSync(join(root, ".reports"), { recursive: true });
  folder = mkdtempSync(join(root, ".reports", "readme-"));
  for (const block of blocks) {
    writeFileSync(join(folder, fileOf(block)), block.source.replaceAll("http://127.0.0.1:4010", mock.url));
  }
  writeFileSync(join(folder, "run-blocks.ts"), runBlocks);
  const options = fileURLToPath(new URL("../../../../tsconfig.consumer.json", import.meta.url));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: options, include: ["*.ts"] }));
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

describe("README.md", () => {
  test("has code that a consumer's compiler accepts", async () => {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [compiler, "-p", folder]).catch((failed) => failed);
    expect(stdout).toBe("");
  });

  test("has code that runs and prints what it shows", async () => {
    const { stdout, stderr } = await run(process.execPath, ["run-blocks.ts", ...blocks.map(fileOf)], { cwd: folder });
    expect(stderr).toBe("");
    const printed = JSON.parse(stdout.split("\n").at(-1) ?? "");
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
