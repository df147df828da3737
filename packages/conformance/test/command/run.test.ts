import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { sharedFolder } from "@chain-query/testing/folders";
import { describe, expect, test } from "vitest";
import { progressOn } from "../../src/command/run.ts";
import { type BodiesReport, validateBody } from "../../src/index.ts";
import { bodiesText } from "../../src/report/text.ts";
import { blockId, consensus, envelope, failure, limited, olderConsensus } from "../body/sample-bodies.ts";
import { expectError, invoke, type Outcome } from "./invoke.ts";

const run = (...args: string[]): Promise<Outcome> => invoke(args);

const root = sharedFolder();

/** Writes files into a new folder. */
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
  test("prints each body, each deviation, its reason and the totals", async () => {
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

  test("exits 1 if a deviation is unexplained", async () => {
    const folder = await folderOf("unexplained", { "lookupBlock/1.json": envelope({ ...blockId(), seqno: "7" }) });
    const { code, stdout, stderr } = await run("bodies", folder);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain('lookupBlock/1.json  deviates  /result/seqno  expected integer, got "7"  unexplained\n');
    expect(stdout).toContain("1 body: 0 conform, 0 deviate in known ways, 1 unexplained\n");
  });

  test("reports a body that is not JSON or cannot be read, and continues", async () => {
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

  test("lists skipped files", async () => {
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

  test("prints one JSON document with --json", async () => {
    const folder = await folderOf("json", {
      "getConsensusBlock/1.json": envelope(olderConsensus()),
      "lookupBlock/1.json": "no",
      "lookupBlock/2.json": failure(),
      "other/1.json": {},
    });
    const { code, stdout, stderr } = await run("bodies", "--json", folder);
    expect([code, stderr]).toEqual([1, ""]);
    const report: BodiesReport = JSON.parse(stdout);
    expect(report.files.map(({ file, operation, outcome }) => [file, operation, outcome])).toEqual([
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

  test("escapes control characters in file names", async () => {
    const folder = await folderOf("names", { "lookupBlock/\u001b[31m\n.json": blockId() });
    const { stdout } = await run("bodies", folder);
    expect(stdout).toMatch(/^lookupBlock\/\\u001b\[31m\\u000a\.json {2}conforms\n/);
  });
});

describe("errors", () => {
  test("a folder that does not exist", async () => {
    await expectError(["bodies", join(root, "missing")], /cannot read the folder ".*missing": it does not exist/);
    await expectError(["bodies", join(root, "missing"), "--json"], /it does not exist/);
  });

  test("a file in place of a folder", async () => {
    const folder = await folderOf("file", { "1.json": consensus() });
    await expectError(["bodies", join(folder, "1.json")], /cannot read the folder ".*1\.json": it is not a folder/);
  });

  test("a folder without bodies", async () => {
    await expectError(["bodies", await folderOf("empty", {})], /no bodies in ".*empty"; expected <operation>\/\*\.json/);
    const folder = await folderOf("too-deep", { "recorded/lookupBlock/1.json": blockId(), "1.json": blockId() });
    await expectError(["bodies", folder], /no bodies in ".*too-deep"; skipped: 1\.json, recorded; expected/);
  });
});

const files = [
  { file: "errors/1.json", operation: "errors", ...validateBody("errors", limited()) },
  { file: "lookupBlock/1.json", operation: "lookupBlock", ...validateBody("lookupBlock", blockId()) },
];
const report = { files, skipped: [], knownDeviations: [], totals: { bodies: 2, conform: 1, known: 1, unexplained: 0 } };

test("colours add nothing but escape sequences", () => {
  const colored = bodiesText(report, { colored: true });
  expect(colored).toContain("\u001b[32mconforms\u001b[39m");
  expect(stripVTControlCharacters(colored)).toBe(bodiesText(report, { colored: false }));
});

test("the progress is shown on a terminal of width 0", () => {
  const written: string[] = [];
  const write = (text: unknown): boolean => written.push(String(text)) > 0;
  progressOn({ isTTY: true, columns: 0, write }).show({ check: "live/limit", done: 1, total: 2, failed: 0 });
  expect(written.at(-1)).toBe("1/2  live/limit");
});
