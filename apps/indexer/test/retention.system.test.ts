/** Makes partitions while a chain is indexed, and drops them. */
import { madeChain } from "@chain-query/local-chain/testing";
import { verifyIndex } from "@chain-query/postgres-store";
import { DAYS } from "@chain-query/testing/chains";
import { sharedPostgres } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { boundsOf, emptyIndexTemplate, FIVES, partitionedIndex, wholeIndex } from "./chains.ts";
import { digestOf, requireRecordsOf } from "./indexes.ts";
import { run, start } from "./processes.ts";

const chain = await madeChain(DAYS);
const server = await sharedPostgres();

test("--partition-steps makes partitions while run follows a chain, and changes no row", async () => {
  const [url, whole] = [await server.createDatabase(emptyIndexTemplate), await wholeIndex()];
  const indexer = start(url, "run", "--from-chain", chain, "--batch", "3", "--partition-steps", "5");
  await indexer.reached(DAYS.steps);
  // A partition is made later, and larger, if a busy server is too slow to lock the tables.
  const made = await until(
    () => boundsOf(url),
    (bounds) => bounds.at(-1) === "25-",
  );
  const from = (bounds: readonly string[]) => bounds.map((one) => one.split("-")[0]);
  expect(from(FIVES)).toEqual(expect.arrayContaining(from(made)));
  expect((await indexer.end("SIGINT")).code).toBe(0);
  expect(await digestOf(url)).toBe(await digestOf(whole));
  await requireRecordsOf(chain, url);
  expect(await verifyIndex({ url })).toEqual(await verifyIndex({ url: whole }));
});

test("drop shows and drops partitions, and prints why the rest stays", async () => {
  const url = await partitionedIndex();
  const planned = await run(url, "drop", "--before", "12d", "--dry-run");
  const lines = planned.stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^would drop steps 0 to 4, made until \d{4}-\d\d-\d\d \d\d:\d\d UTC: [\d.]+ kB$/);
  expect(lines[2]).toMatch(/^would drop 2 partitions, [\d.]+ [kM]B; the rest stays: step 14 is younger than 1036800 s$/);
  expect(await boundsOf(url)).toEqual(FIVES);
  const done = await run(url, "drop", "--before", "12d");
  expect(done).toEqual({ ...planned, stdout: planned.stdout.replaceAll("would drop", "dropped") });
  expect(await boundsOf(url)).toEqual(FIVES.slice(2));
  expect((await run(url, "status")).stdout).toMatch(
    /\nhistory {2}from step 10 on; older partitions were dropped\n {9}steps 10 to 14: [\d.]+ kB\n/,
  );
  expect((await run(url, "verify")).stdout).toMatch(
    /^the index is valid: 24 steps, .* accounts, without the steps before 10\n$/,
  );
  const all = await run(url, "drop", "--before", "1000000");
  expect(all.stdout).toMatch(/; the rest stays: step 24 is not below the head, 24\n$/);
  expect(await run(url, "drop", "--before", "100")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^dropped 0 /),
  });
});
