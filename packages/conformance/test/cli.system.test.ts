import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import manifest from "../package.json" with { type: "json" };
import type { BodiesReport } from "../src/index.ts";
import { blockId, consensus, envelope, failure, limited, olderConsensus } from "./body/sample-bodies.ts";

const command = fileURLToPath(new URL(`../${manifest.bin["chain-query-conformance"]}`, import.meta.url));

// A test starts up to four processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(...args: string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, FORCE_COLOR: "1", NO_COLOR: "" };
    const child = spawn(process.execPath, ["--no-warnings", command, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    const outcome: Outcome = { code: null, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (outcome.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (outcome.stderr += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ ...outcome, code }));
  });
}

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "chain-query-conformance-"));
});

afterAll(() => rm(root, { recursive: true }));

/** Writes files by name into a folder of the test's own. */
async function folderOf(name: string, files: Record<string, unknown>): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

describe("bodies", () => {
  test("prints a line for each body that conforms and for each deviation, the reasons, and the sum", async () => {
    const folder = await folderOf("known", {
      "getConsensusBlock/2.json": olderConsensus(),
      "getConsensusBlock/10.json": consensus(),
      "lookupBlock/1.json": envelope(blockId()),
      "errors/1.json": failure(),
      "notes.md": "# Notes",
    });
    const { code, stdout, stderr } = await run("bodies", folder);
    expect(stderr).toBe("");
    expect(stdout).toBe(
      `
errors/1.json              conforms
getConsensusBlock/2.json   deviates  /@type      expected a member that ext.blocks.consensusBlock requires, got nothing  known: untyped-consensus-block
getConsensusBlock/2.json   deviates  /timestamp  expected integer, got 1700000000.25                                     known: float-timestamp
getConsensusBlock/10.json  conforms
lookupBlock/1.json         conforms

Known deviations met:
  float-timestamp          The older generation keeps the consensus time with a fraction of a second.
  untyped-consensus-block  The older generation leaves out @type in its consensus block, whose time has a fraction.

4 bodies: 3 conform, 1 deviate in known ways, 0 unexplained
`.slice(1),
    );
    expect(code).toBe(0);
  });

  test("exits 1 where something is unexplained", async () => {
    const folder = await folderOf("unexplained", { "lookupBlock/1.json": envelope({ ...blockId(), seqno: "7" }) });
    const { code, stdout, stderr } = await run("bodies", folder);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain('lookupBlock/1.json  deviates  /result/seqno  expected integer, got "7"  unexplained\n');
    expect(stdout).toContain("1 body: 0 conform, 0 deviate in known ways, 1 unexplained\n");
  });

  test("reports a body that is no JSON or cannot be read and goes on", async () => {
    const folder = await folderOf("broken", {
      "lookupBlock/1.json": "<html>502 Bad Gateway</html>",
      "lookupBlock/2.json": "",
      "lookupBlock/3.json": [],
      "lookupBlock/5.json": blockId(),
    });
    await symlink(join(folder, "gone"), join(folder, "lookupBlock/4.json"));
    const { code, stdout, stderr } = await run("bodies", folder);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout.replaceAll(/ +/g, " ")).toContain(
      `
lookupBlock/1.json deviates (the body) expected JSON, got the text "<html>502 Bad Gateway</html>" unexplained
lookupBlock/2.json deviates (the body) expected JSON, got an empty body unexplained
lookupBlock/3.json deviates (the body) expected object, got an empty array unexplained
lookupBlock/4.json deviates (the body) expected a readable file, got it does not exist unexplained
lookupBlock/5.json conforms
`.slice(1),
    );
  });

  test("follows a link to a folder", async () => {
    const folder = await folderOf("linked", { "elsewhere/1.json": blockId() });
    await symlink(join(folder, "elsewhere"), join(folder, "lookupBlock"));
    const { code, stdout } = await run("bodies", folder);
    expect([code, stdout.split("\n")[0]]).toEqual([0, "lookupBlock/1.json  conforms"]);
  });

  test("names what it skips", async () => {
    const folder = await folderOf("skipped", {
      "errors/1.json": limited(),
      "errors/.hidden.json": "{}",
      "errors/readme.txt": "",
      "errors/older/1.json": {},
      "other/1.json": {},
      "getblock/1.json": {},
      "stray.json": {},
      "INDEX.md": "",
    });
    const { code, stdout } = await run("bodies", folder);
    expect(code).toBe(0);
    const sum = "1 body: 0 conform, 1 deviate in known ways, 0 unexplained";
    expect(stdout).toContain(`\n${sum}; skipped: errors/.hidden.json, errors/older, getblock, other, stray.json\n`);
  });

  test("prints one JSON document and nothing else with --json", async () => {
    const folder = await folderOf("json", {
      "getConsensusBlock/1.json": envelope(olderConsensus()),
      "lookupBlock/1.json": "no",
      "lookupBlock/2.json": failure(),
      "other/1.json": {},
    });
    const { code, stdout, stderr } = await run("bodies", "--json", folder);
    expect([code, stderr]).toEqual([1, ""]);
    const report: BodiesReport = JSON.parse(stdout);
    expect(report.files.map(({ file, operation, verdict }) => [file, operation, verdict])).toEqual([
      ["getConsensusBlock/1.json", "getConsensusBlock", "known"],
      ["lookupBlock/1.json", "lookupBlock", "unexplained"],
      ["lookupBlock/2.json", "lookupBlock", "conforms"],
    ]);
    expect(report.files[0]?.deviations[1]).toEqual({
      path: "/result/timestamp",
      expected: "integer",
      got: "1700000000.25",
      rule: "#/components/schemas/UnixTime/type",
      match: "float-timestamp",
    });
    expect(report.skipped).toEqual(["other"]);
    expect(report.knownDeviations.map(({ name }) => name)).toEqual(["float-timestamp", "untyped-consensus-block"]);
    expect(report.totals).toEqual({ bodies: 3, conform: 1, known: 1, unexplained: 1 });
  });

  test("prints names that would act on a terminal harmlessly", async () => {
    const folder = await folderOf("names", { "lookupBlock/\u001b[31m\n.json": blockId() });
    const { stdout } = await run("bodies", folder);
    expect(stdout).toMatch(/^lookupBlock\/\\u001b\[31m\\u000a\.json {2}conforms\n/);
  });
});

describe("bad input", () => {
  async function expectRefusal(args: string[], message: RegExp): Promise<void> {
    const { code, stdout, stderr } = await run(...args);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^chain-query-conformance: [^\n]+\n$/);
    expect([code, stdout]).toEqual([2, ""]);
  }

  test("refuses a folder that does not exist", async () => {
    await expectRefusal(["bodies", join(root, "nowhere")], /cannot read the folder ".*nowhere": it does not exist/);
    await expectRefusal(["bodies", join(root, "nowhere"), "--json"], /it does not exist/);
  });

  test("refuses a file", async () => {
    const folder = await folderOf("file", { "1.json": consensus() });
    await expectRefusal(["bodies", join(folder, "1.json")], /cannot read the folder ".*1\.json": it is not a folder/);
  });

  test("refuses a folder with nothing to judge", async () => {
    await expectRefusal(
      ["bodies", await folderOf("empty", {})],
      /nothing to judge in ".*empty"; expected <operationId>\/\*\.json/,
    );
    const folder = await folderOf("too-deep", { "recorded/lookupBlock/1.json": blockId(), "1.json": blockId() });
    await expectRefusal(["bodies", folder], /nothing to judge in ".*too-deep"; skipped: 1\.json, recorded; expected/);
  });

  test("refuses none and two folders", async () => {
    await expectRefusal(["bodies"], /bodies takes one folder of recorded bodies, none was given/);
    await expectRefusal(["bodies", ""], /none was given/);
    await expectRefusal(["bodies", root, root], /bodies takes one folder of recorded bodies, 2 were given/);
  });

  test("refuses unknown commands and options", async () => {
    await expectRefusal([], /nothing to judge was given; accepted is: <baseUrl>, or bodies <folder>/);
    await expectRefusal(
      ["judge", root],
      /"judge" is not a base URL; accepted: http:\/\/ or https:\/\/, a host and optionally a path, or bodies <folder>/,
    );
    await expectRefusal(["bodies", root, "--xml"], /'--xml'.*; accepted are <baseUrl> or bodies <folder>, and .*--json/);
    await expectRefusal(["bodies", root, "--json=yes"], /--json.*; accepted are/);
  });
});

test("prints its help on one screen", async () => {
  const { code, stdout, stderr } = await run("--help");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("chain-query-conformance <baseUrl> [options]");
  expect(stdout).toContain("chain-query-conformance bodies <folder> [--json]");
  const lines = stdout.split("\n");
  expect(lines.length).toBeLessThan(24);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
});

test("prints its version", async () => {
  expect(await run("--version")).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});
