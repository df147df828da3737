/** Drops the newest steps of an index, which are of a fork, and continues with the right chain. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { madeChain } from "@chain-query/local-chain/testing";
import { dropHistory, verifyIndex } from "@chain-query/postgres-store";
import { DAYS, SMALL } from "@chain-query/testing/chains";
import { inDatabase, sharedPostgres } from "@chain-query/testing/services";
import { beforeAll, describe, expect, test } from "vitest";
import { IndexerProcess } from "../fuzz/indexer-process.ts";
import { digestOf, headOf, indexWhole, requireRecordsOf } from "../fuzz/indexes.ts";
import { emptyIndexTemplate, grownChain, partitionedIndex } from "./chains.ts";
import { run, start } from "./processes.ts";

const COMMON = SMALL.steps;
/** The head of the fork. */
const FORKED = COMMON + 6;
const valid = expect.objectContaining({ code: 0, stdout: expect.stringMatching(/^the index is valid: /) });

let right: string;
let fork: string;
/** An index of the fork, which tests copy. */
let forkedIndex: () => Promise<string>;

beforeAll(async () => {
  const server = await sharedPostgres();
  const folder = mkdtempSync(join(tmpdir(), "chain-query-drop-after-"));
  fork = await grownChain(folder, FORKED - COMMON, 1);
  right = await grownChain(folder, 9, 4);
  const fill = async (url: string) => {
    await emptyIndexTemplate.fill(url);
    await indexWhole(url, fork);
  };
  forkedIndex = () => server.createDatabase({ name: "index_of_a_fork", fill });
  return () => rmSync(folder, { recursive: true, force: true });
});

const headRecordOf = (url: string) =>
  inDatabase(url, async (sql) => [...(await sql`SELECT seqno, encode(record, 'hex') AS record FROM head`)]);

async function newIndexOf(chain: string): Promise<string> {
  const url = await (await sharedPostgres()).createDatabase(emptyIndexTemplate);
  await indexWhole(url, chain);
  return url;
}

/** Rows after which the index equals one that never had the fork. Cells of the fork stay. */
async function expectIndexOf(url: string, chain: string): Promise<void> {
  expect(await run(url, "verify")).toEqual(valid);
  await requireRecordsOf(chain, url);
  expect(await headRecordOf(url)).toEqual(await headRecordOf(await newIndexOf(chain)));
}

test("after a drop to the last common step, the index equals one that never had the fork, and so do further steps", async () => {
  const url = await forkedIndex();
  const removed = /^dropped 6 steps with \d+ transactions: the head is step 12; restart all instances of the service\n$/;
  expect(await run(url, "drop", "--after", `${COMMON}`)).toEqual({
    code: 0,
    stdout: expect.stringMatching(removed),
    stderr: "",
  });
  await expectIndexOf(url, await madeChain(SMALL));
  await indexWhole(url, right);
  await expectIndexOf(url, right);
});

test.concurrent.each([0, 1, COMMON - 1, FORKED])("goes back to step %i, and continues from there", async (to) => {
  const url = await forkedIndex();
  expect(await run(url, "drop", "--after", `${to}`)).toMatchObject({ code: 0, stderr: "" });
  expect(await headOf(url)).toBe(to);
  expect(await run(url, "verify")).toEqual(valid);
  await indexWhole(url, fork);
  await expectIndexOf(url, fork);
});

describe("refuses with one line", () => {
  test.each([
    [["--after", `${FORKED + 1}`], "the step must be from 0, the zero state, to 18, the head, got 19"],
    [["--after", "abc"], '--after: expected a whole number from 0 to 2147483647, got "abc"'],
    [["--after", "-1"], '--after: expected a whole number from 0 to 2147483647, got "-1"'],
    [["--after", "3", "--dry-run"], "--after: expected no --before or --dry-run with it"],
  ])("the arguments %j", async (args, problem) => {
    const url = await forkedIndex();
    const { code, stdout, stderr } = await run(url, "drop", ...args);
    expect({ code, stdout, line: stderr.split("\n")[0] }).toEqual({
      code: 2,
      stdout: "",
      line: `chain-query-indexer: ${problem}`,
    });
    expect(await headOf(url)).toBe(FORKED);
  });

  test("while an indexer runs, and changes nothing", async () => {
    const url = await forkedIndex();
    const before = await digestOf(url);
    const indexer = start(url, "run", "--from-chain", fork);
    await indexer.until(() => indexer.phases.includes("following"));
    expect(await run(url, "drop", "--after", `${COMMON}`)).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: expect.stringMatching(/^chain-query-indexer: \S+ \d+ \w+ writes this index: stop all indexers; [^\n]*\n$/),
    });
    expect((await indexer.end("SIGINT")).code).toBe(0);
    expect(await digestOf(url)).toBe(before);
  });

  test("an index without a chain", async () => {
    const url = await (await sharedPostgres()).createDatabase(emptyIndexTemplate);
    const outcome = await run(url, "drop", "--after", "0");
    expect(outcome).toEqual({ code: 2, stdout: "", stderr: "chain-query-indexer: the database has no chain yet\n" });
  });
});

describe("an index with partitions", () => {
  test("keeps the versions of dropped steps, and refuses these steps", async () => {
    const url = await partitionedIndex();
    await dropHistory({ url }, { before: { step: 10 } });
    const refused = await run(url, "drop", "--after", "9");
    const problem = "the step must be from 10, the first that the index has, to 24, the head, got 9";
    expect(refused).toEqual({ code: 2, stdout: "", stderr: `chain-query-indexer: ${problem}\n` });
    expect((await run(url, "drop", "--after", "10")).code).toBe(0);
    expect(await run(url, "verify")).toEqual(valid);
    await indexWhole(url, await madeChain(DAYS));
    const [whole, again] = [await partitionedIndex(), url];
    await dropHistory({ url: whole }, { before: { step: 10 } });
    expect(await digestOf(again)).toBe(await digestOf(whole));
    expect(await verifyIndex({ url: again })).toEqual(await verifyIndex({ url: whole }));
  });

  test("is refused while its partitions are dropped", async () => {
    const url = await partitionedIndex();
    await inDatabase(url, async (sql) => {
      await sql.unsafe("BEGIN; LOCK TABLE blocks");
      const dropping = dropHistory({ url }, { before: { step: 10 } });
      await expect.poll(() => waitersOf(url)).toBe(1);
      expect(await run(url, "drop", "--after", "3")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("writes this index"),
      });
      await sql.unsafe("COMMIT");
      expect(await dropping).toMatchObject({ firstSeqno: 10 });
    });
    expect(await run(url, "verify")).toEqual(valid);
  });
});

/** Statements that wait for a lock. */
async function waitersOf(url: string): Promise<number> {
  return inDatabase(url, async (sql) => {
    const rows = await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return rows.length;
  });
}

describe.concurrent("a drop of the newest steps that is killed", () => {
  test.for<readonly [string, string]>([
    ["head", "SELECT FROM head FOR UPDATE"],
    ["leases", "LOCK TABLE indexer_lease IN ROW EXCLUSIVE MODE"],
    ["transactions", `SELECT FROM transactions WHERE mc_seqno = ${FORKED} FOR UPDATE`],
    ["versions", `SELECT FROM account_versions WHERE mc_seqno = ${FORKED} FOR UPDATE`],
    ["blocks", `SELECT FROM blocks WHERE mc_seqno = ${FORKED} FOR UPDATE`],
  ])(
    "while it waits for the %s leaves the index before, and another one completes it",
    async ([_, lock], { onTestFinished }) => {
      const url = await forkedIndex();
      const before = await digestOf(url);
      await inDatabase(url, async (sql) => {
        await sql.unsafe(`BEGIN; ${lock}`);
        const dropping = new IndexerProcess(url, "drop", "--after", `${COMMON}`);
        onTestFinished(() => void dropping.signal("SIGKILL"));
        await dropping.until(async () => (await waitersOf(url)) === 1);
        dropping.signal("SIGKILL");
        await dropping.ended();
        await sql.unsafe("COMMIT");
      });
      expect(await digestOf(url)).toBe(before);
      expect(await run(url, "verify")).toEqual(valid);
      expect(await run(url, "drop", "--after", `${COMMON}`)).toMatchObject({ code: 0, stderr: "" });
      await expectIndexOf(url, await madeChain(SMALL));
    },
  );
});
