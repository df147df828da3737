import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "./contract.ts";

const programs = fileURLToPath(new URL("node_modules/.bin", root));

/** One mistake: in which file, which text becomes which other, and the rule that stops it. */
type Mistake = readonly [
  mistake: string,
  rule: string,
  file: string,
  from: string,
  to: string,
  /** The text of the reported line; by default the changed line. */
  pointsAt?: string,
];

const mistakes: readonly Mistake[] = [
  [
    "a reference to a schema that is not there",
    "no-unresolved-refs",
    "components/schemas/internal.transactionId.yaml",
    "$ref: LogicalTime.yaml",
    "$ref: LogicalTimes.yaml",
  ],
  [
    "a summary with a full stop",
    "summary-begins-with-a-verb",
    "paths/lookupBlock.yaml",
    "summary: Look up a block",
    "summary: Look up a block.",
  ],
  [
    "a summary with another verb",
    "summary-begins-with-a-verb",
    "paths/lookupBlock.yaml",
    "summary: Look up a block",
    "summary: Search a block",
  ],
  [
    "a description of an operation without a full stop",
    "operation-description-is-sentences",
    "paths/tryLocateResultTx.yaml",
    "received a message.",
    "received a message",
    "description:",
  ],
  [
    "a description of a schema without a full stop",
    "schema-is-described",
    "components/schemas/Amount.yaml",
    "as a decimal string.",
    "as a decimal string",
  ],
  [
    "a description of a parameter without a full stop",
    "parameter-description-is-sentences",
    "paths/getTransactionsStd.yaml",
    "to return at most.",
    "to return at most",
    "description: >-\n        Number of",
  ],
  [
    "a description of a response without a full stop",
    "response-description-is-sentences",
    "components/responses/GatewayTimeout.yaml",
    "in time.",
    "in time",
  ],
  [
    "a description of a body that is no sentence",
    "body-description-is-a-sentence",
    "paths/getAddressInformation.yaml",
    "The body names the account to read",
    "Which account to read",
  ],
  [
    "a summary of an example with a full stop",
    "example-summary-has-no-full-stop",
    "components/examples/lookupBlock.by-lt.yaml",
    "contains an lt",
    "contains an lt.",
  ],
  [
    "a scalar property without an example",
    "scalar-property-missing-example",
    "components/schemas/blocks.outMsgQueueSize.yaml",
    "\n    examples: [3]",
    "",
    "  size:",
  ],
  [
    "an example that its schema refuses",
    "no-invalid-schema-examples",
    "components/schemas/Seqno.yaml",
    "examples: [20000]",
    "examples: [-1]",
  ],
  [
    "a response that its schema refuses",
    "no-invalid-media-type-examples",
    "components/examples/getConsensusBlock.current.yaml",
    "consensus_block: 840",
    'consensus_block: "840"',
  ],
  [
    "a parameter's example that its schema refuses",
    "no-invalid-parameter-examples",
    "paths/getTransactionsStd.yaml",
    "example: 2",
    "example: 1001",
  ],
  [
    "a component that nothing uses",
    "no-unused-components",
    "openapi.yaml",
    "components:\n",
    "components:\n  schemas:\n    Unused:\n      description: Nothing refers to it.\n      type: object\n",
    "Unused:",
  ],
  ["an operation without a tag", "operation-tag-defined", "paths/lookupBlock.yaml", "  tags: [Blocks]\n", "", "post:"],
  [
    "an operation with a tag that is not declared",
    "operation-tag-defined",
    "paths/lookupBlock.yaml",
    "tags: [Blocks]",
    "tags: [Block]",
  ],
  [
    "an operation with two tags",
    "operation-singular-tag",
    "paths/lookupBlock.yaml",
    "tags: [Blocks]",
    "tags: [Blocks, Accounts]",
  ],
  ["tags in another order", "tags-alphabetical", "openapi.yaml", "name: Accounts", "name: Xaccounts", "name: Xaccounts"],
];

let folder: string;
/** The report of the linter for each copy of the contract, by the copy's name. */
let reports: Map<string, string>;

/** The copy that has a mistake. A copy has one mistake in each file, so that line numbers do not change. */
const copyOf = (mistake: Mistake) => {
  const before = mistakes.slice(0, mistakes.indexOf(mistake));
  return `wrong${before.filter(([, , file]) => file === mistake[2]).length}`;
};
const copies = [...new Set(mistakes.map(copyOf))];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "contract-"));
  for (const copy of ["right", ...copies]) await copyContract(copy);
  for (const mistake of mistakes) {
    const path = join(folder, copyOf(mistake), mistake[2]);
    await writeFile(path, await changed(path, mistake));
  }
  const documents = ["right", ...copies].map((name) => `${name}/openapi.yaml`);
  const { output } = await run(folder, "redocly", ["lint", ...documents, "--config", "right/redocly.yaml"]);
  const sections = output.split(/^validating /m).slice(1);
  reports = new Map(sections.map((section) => [section.slice(0, section.indexOf("/")), section]));
});
afterAll(() => rm(folder, { recursive: true }));

describe("the style guide", () => {
  test("accepts the contract", () => {
    expect(reports.get("right")).not.toMatch(/Error was generated/);
  });

  test.for(mistakes)("stops %s", async (mistake) => {
    const [, rule, file, , to, pointsAt = to] = mistake;
    const copy = copyOf(mistake);
    const after = await readFile(join(folder, copy, file), "utf8");
    const line = after.slice(0, after.indexOf(pointsAt)).split("\n").length;
    const errors = reports.get(copy)?.split(/^\[\d+\] /m) ?? [];
    const own = errors.filter((error) => new RegExp(`Error was generated by the (rule/)?${rule} rule`).test(error));
    expect(own.map((error) => error.split(" ")[0])).toContainEqual(expect.stringContaining(`${copy}/${file}:${line}:`));
  });

  test("stops at an example that the contract rejects, and the build waits for it", async () => {
    const copy = await copyContract("build");
    const { scripts } = JSON.parse(await readFile(new URL("package.json", root), "utf8"));
    const file = "components/examples/getConsensusBlock.current.yaml";
    const after = (await readFile(join(copy, file), "utf8")).replace(/consensus_block: \d+/, "consensus_block: many");
    await writeFile(join(copy, file), after);

    const { code, output } = await run(copy, "sh", ["-c", scripts.lint]);
    const line = after.slice(0, after.indexOf("many")).split("\n").length;
    expect(code).toBe(1);
    expect(output).toContain(`${file}:${line}:`);
    const { tasks } = JSON.parse(await readFile(new URL("turbo.json", root), "utf8"));
    expect(tasks.build.dependsOn).toContain("lint");
  });
});

async function copyContract(name: string): Promise<string> {
  const parts = ["openapi.yaml", "headers.yaml", "redocly.yaml", "build", "paths", "components"];
  const copy = join(folder, name);
  await Promise.all(parts.map((part) => cp(new URL(part, root), join(copy, part), { recursive: true })));
  return copy;
}

async function changed(path: string, [, , , from, to]: Mistake): Promise<string> {
  const before = await readFile(path, "utf8");
  expect(before).toContain(from);
  return before.replace(from, to);
}

function run(folder: string, program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const path = `${programs}${delimiter}${process.env["PATH"]}`;
  const env = { ...process.env, PATH: path, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output: Buffer.concat(chunks).toString("utf8") }));
  });
}
