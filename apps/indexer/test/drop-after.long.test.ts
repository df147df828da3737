/** Drops the newest steps of an index, which are of a fork, and continues with the right chain. */
import { madeChain } from "@chain-query/local-chain/testing";
import { dropHistory, verifyIndex } from "@chain-query/postgres-store";
import { DAYS, SMALL } from "@chain-query/testing/chains";
import { sharedFolder } from "@chain-query/testing/folders";
import { inDatabase, sharedPostgres } from "@chain-query/testing/services";
import { beforeAll, describe, expect, test } from "vitest";
import { emptyIndexTemplate, grownChain, partitionedIndex } from "./chains.ts";
import { digestOf, headOf, indexWhole, requireRecordsOf } from "./indexes.ts";
import { run, start, startProcess } from "./processes.ts";

const COMMON = SMALL.steps;
/** The head of the fork. */
const FORKED = COMMON + 6;
const valid = expect.objectContaining({ code: 0, stdout: expect.stringMatching(/^the index is valid: /) });

let right: string;
let fork: string;
/** An index of the fork, which tests copy. */
let forkedIndex: () => Promise<string>;

const folder = sharedFolder();
beforeAll(async () => {
  const server = await sharedPostgres();
  fork = await grownChain(folder, FORKED - COMMON, 1);
  right = await grownChain(folder, 9, 4);
  const fill = async (url: string) => {
    await emptyIndexTemplate.fill(url);
    await indexWhole(url, fork);
  };
  forkedIndex = () => server.createDatabase({ name: "index_of_a_fork", fill });
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

describe("refuses with one line", () => {
  test("a step above the head", async () => {
    const url = await forkedIndex();
    const problem = "the step must be from 0, the zero state, to 18, the head, got 19";
    const refused = { code: 2, stdout: "", stderr: `chain-query-indexer: ${problem}\n` };
    expect(await run(url, "drop", "--after", `${FORKED + 1}`)).toEqual(refused);
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
});

test("a drop of the newest steps that is killed leaves the index before, and another one completes it", async () => {
  const url = await forkedIndex();
  const before = await digestOf(url);
  await inDatabase(url, async (sql) => {
    await sql.unsafe(`BEGIN; SELECT FROM blocks WHERE mc_seqno = ${FORKED} FOR UPDATE`);
    const dropping = startProcess(url, "drop", "--after", `${COMMON}`);
    // A transaction sees the activity of its first look alone.
    await inDatabase(url, (other) =>
      dropping.until(async () => {
        const waiting =
          await other`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return waiting.length === 1;
      }),
    );
    await dropping.end("SIGKILL");
    await sql.unsafe("COMMIT");
  });
  expect(await digestOf(url)).toBe(before);
  expect(await run(url, "verify")).toEqual(valid);
  expect(await run(url, "drop", "--after", `${COMMON}`)).toMatchObject({ code: 0, stderr: "" });
  await expectIndexOf(url, await madeChain(SMALL));
});
