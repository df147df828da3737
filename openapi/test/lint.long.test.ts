import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "./contract.ts";

const programs = fileURLToPath(new URL("node_modules/.bin", root));

/** One mistake: in which file, which text becomes which other, and the rule that stops it. */
interface Mistake {
  mistake: string;
  file: string;
  from: string;
  to: string;
  rule: string;
  /** The text of the reported line; by default the changed line. */
  pointsAt?: string;
}

const mistakes: Mistake[] = [
  {
    mistake: "a reference to a schema that is not there",
    file: "components/schemas/internal.transactionId.yaml",
    from: "$ref: LogicalTime.yaml",
    to: "$ref: LogicalTimes.yaml",
    rule: "no-unresolved-refs",
  },
  {
    mistake: "a summary with a full stop",
    file: "paths/lookupBlock.yaml",
    from: "summary: Look up a block",
    to: "summary: Look up a block.",
    rule: "summary-begins-with-a-verb",
  },
  {
    mistake: "a summary with another verb",
    file: "paths/lookupBlock.yaml",
    from: "summary: Look up a block",
    to: "summary: Search a block",
    rule: "summary-begins-with-a-verb",
  },
  {
    mistake: "a description of an operation without a full stop",
    file: "paths/tryLocateResultTx.yaml",
    from: "received a message.",
    to: "received a message",
    rule: "operation-description-is-sentences",
    pointsAt: "description:",
  },
  {
    mistake: "a description of a schema without a full stop",
    file: "components/schemas/Amount.yaml",
    from: "as a decimal string.",
    to: "as a decimal string",
    rule: "schema-is-described",
  },
  {
    mistake: "a description of a parameter without a full stop",
    file: "paths/getTransactionsStd.yaml",
    from: "to return at most.",
    to: "to return at most",
    rule: "parameter-description-is-sentences",
    pointsAt: "description: >-\n        Number of",
  },
  {
    mistake: "a description of a response without a full stop",
    file: "components/responses/GatewayTimeout.yaml",
    from: "in time.",
    to: "in time",
    rule: "response-description-is-sentences",
  },
  {
    mistake: "a description of a body that is no sentence",
    file: "paths/getAddressInformation.yaml",
    from: "The body names the account to read",
    to: "Which account to read",
    rule: "body-description-is-a-sentence",
  },
  {
    mistake: "a summary of an example with a full stop",
    file: "components/examples/lookupBlock.by-lt.yaml",
    from: "contains an lt",
    to: "contains an lt.",
    rule: "example-summary-has-no-full-stop",
  },
  {
    mistake: "a scalar property without an example",
    file: "components/schemas/blocks.outMsgQueueSize.yaml",
    from: "\n    examples: [3]",
    to: "",
    rule: "scalar-property-missing-example",
    pointsAt: "  size:",
  },
  {
    mistake: "an example that its schema refuses",
    file: "components/schemas/Seqno.yaml",
    from: "examples: [20000]",
    to: "examples: [-1]",
    rule: "no-invalid-schema-examples",
  },
  {
    mistake: "a response that its schema refuses",
    file: "components/examples/getConsensusBlock.current.yaml",
    from: "consensus_block: 840",
    to: 'consensus_block: "840"',
    rule: "no-invalid-media-type-examples",
  },
  {
    mistake: "a parameter's example that its schema refuses",
    file: "paths/getTransactionsStd.yaml",
    from: "example: 2",
    to: "example: 1001",
    rule: "no-invalid-parameter-examples",
  },
  {
    mistake: "a component that nothing uses",
    file: "openapi.yaml",
    from: "components:\n",
    to: "components:\n  schemas:\n    Unused:\n      description: Nothing refers to it.\n      type: object\n",
    rule: "no-unused-components",
    pointsAt: "Unused:",
  },
  {
    mistake: "an operation without a tag",
    file: "paths/lookupBlock.yaml",
    from: "  tags: [Blocks]\n",
    to: "",
    rule: "operation-tag-defined",
    pointsAt: "post:",
  },
  {
    mistake: "an operation with a tag that is not declared",
    file: "paths/lookupBlock.yaml",
    from: "tags: [Blocks]",
    to: "tags: [Block]",
    rule: "operation-tag-defined",
  },
  {
    mistake: "an operation with two tags",
    file: "paths/lookupBlock.yaml",
    from: "tags: [Blocks]",
    to: "tags: [Blocks, Accounts]",
    rule: "operation-singular-tag",
  },
  {
    mistake: "tags in another order",
    file: "openapi.yaml",
    from: "name: Accounts",
    to: "name: Xaccounts",
    rule: "tags-alphabetical",
    pointsAt: "name: Xaccounts",
  },
];

let folder: string;
/** The report of the linter for each copy of the contract, by the copy's name. */
let reports: Map<string, string>;

/** The copy that has a mistake. A copy has one mistake in each file, so that line numbers do not change. */
const copyOf = (mistake: Mistake) => {
  const before = mistakes.slice(0, mistakes.indexOf(mistake));
  return `wrong${before.filter(({ file }) => file === mistake.file).length}`;
};
const copies = [...new Set(mistakes.map(copyOf))];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "contract-"));
  for (const copy of ["right", ...copies]) await copyContract(copy);
  for (const mistake of mistakes) {
    const path = join(folder, copyOf(mistake), mistake.file);
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

  test.for(mistakes)("stops $mistake", async (mistake) => {
    const { file, to, rule, pointsAt = to } = mistake;
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

async function changed(path: string, { from, to }: Mistake): Promise<string> {
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
