/** `run --start` and `backfill --back-to`: an index that begins late, on lite servers that have deleted old blocks. */
import { verifyIndex } from "@chain-query/postgres-store";
import { SMALL } from "@chain-query/testing/chains";
import { inDatabase } from "@chain-query/testing/services";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FIRST, type LateIndexes, lateIndexes, rowsFrom } from "./late-index.ts";
import { run, start } from "./processes.ts";

let late: LateIndexes;
beforeAll(async () => {
  late = await lateIndexes();
});
afterAll(() => late[Symbol.asyncDispose]());

/** The states before the first changes of accounts. */
async function firstStates(url: string): Promise<unknown[]> {
  return inDatabase(url, async (sql) => [
    ...(await sql`SELECT account, record FROM account_base WHERE mc_seqno = -2 ORDER BY account`),
  ]);
}

test("run --start begins at a step, and backfill --back-to extends the index beside the indexer to that of the whole chain", async () => {
  const { lite, folder } = late;
  const [url, whole] = [await late.lateIndex(), await late.wholeIndex()];
  expect(await rowsFrom(url, 0)).toEqual(await rowsFrom(whole, FIRST));
  expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: FIRST, steps: SMALL.steps - FIRST + 1 });
  // The states before the first changes of accounts, from lite servers as from the folder.
  const states = await firstStates(url);
  expect(states.length).toBeGreaterThan(10);
  expect(states).toEqual(await firstStates(await late.lateIndex(["--from-chain", folder])));
  const [flag = "", file = ""] = lite();
  const { stdout } = await run(url, "status", flag, file);
  expect(stdout).toContain(`history  from step ${FIRST} on; the index begins there`);
  expect(stdout).toMatch(new RegExp(`^servers\n {9}[0-9a-f]{8}: blocks and states from step ${FIRST - 1} on, made `, "m"));
  // An index that has begun continues.
  const indexer = start(url, "run", ...lite(), "--start", "newest");
  await indexer.until(() => indexer.phases.at(-1) === "following");
  const { code, stderr } = await run(url, "backfill", ...lite({ archival: true }), "--back-to", "1", "--batch", "2");
  expect([code, stderr]).toEqual([0, expect.stringContaining("the index has the whole chain")]);
  await indexer.end("SIGINT");
  expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: 0, steps: SMALL.steps });
  expect(await rowsFrom(url, 0)).toEqual(await rowsFrom(whole, 0));
  expect((await run(url, "status")).stdout).toContain("history  whole");
});
