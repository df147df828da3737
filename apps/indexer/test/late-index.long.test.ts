/** Indexes that begin late: what they refuse, and their extension over splits and merges, also after kills. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatGlobalConfig, liteChain } from "@chain-query/lite/answers";
import { refuse, startFaultyLiteServer } from "@chain-query/lite/faults";
import { openChain } from "@chain-query/local-chain";
import { Databases, readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { SMALL, UNEVEN } from "@chain-query/testing/chains";
import { temporaryFolder } from "@chain-query/testing/folders";
import { inDatabase, sharedPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsOf } from "./chains.ts";
import { heldIndex, hold } from "./holds.ts";
import { headOf, indexWhole, rowsDigestOf } from "./indexes.ts";
import { FIRST, FIRST_OF_STATES, type LateIndexes, lateIndexes } from "./late-index.ts";
import { run, start, startProcess } from "./processes.ts";
import { serveChain } from "./sources/served-chain.ts";

let late: LateIndexes;
beforeAll(async () => {
  late = await lateIndexes();
});
afterAll(() => late[Symbol.asyncDispose]());

const emptyIndex = async (): Promise<string> => (await sharedPostgres()).createDatabase(heldIndex);

/** The last line of a command that is refused. */
async function refusal(url: string, ...args: readonly string[]): Promise<string | undefined> {
  const { code, stderr } = await run(url, ...args);
  expect(code).toBe(2);
  return stderr.trim().split("\n").at(-1);
}

describe("run --start", () => {
  test.each<[string, { readonly archival?: boolean }, number]>([
    ["1s", {}, SMALL.steps],
    ["3", { archival: true }, 3],
  ])("begins at %s, with %j", async (given, choice, first) => {
    const url = await emptyIndex();
    const indexer = start(url, "run", ...late.lite(choice), "--start", given);
    await indexer.reached(SMALL.steps);
    await indexer.end("SIGINT");
    expect((await readIndexStatus({ url })).firstSeqno).toBe(first);
  });

  test("refuses what the servers no longer have, and what the chain does not have yet, and leaves the database empty", async () => {
    const { lite, forgetful } = late;
    const url = await emptyIndex();
    const from = (step: number, got: string) =>
      expect.stringMatching(`--start: expected newest or a step from ${step} on, made .+ ago, since .+ got ${got}$`);
    expect(await refusal(url, "run", ...lite(), "--start", "1d")).toEqual(from(FIRST, "86400s"));
    expect(await refusal(url, "run", ...lite({ servers: forgetful }), "--start", `${FIRST}`)).toEqual(
      from(FIRST_OF_STATES, `${FIRST}`),
    );
    expect(await refusal(url, "run", ...lite(), "--start", "13")).toContain(
      "--start: expected at most the newest step, 12, got 13",
    );
    expect(await refusal(url, "run", ...lite(), "--start", "3")).toEqual(from(FIRST, "3"));
    expect(await headOf(url)).toBeUndefined();
  });

  test("run after a stop longer than the lite servers keep states says so", async () => {
    const { lite, whole, forgetful } = late;
    const url = await late.lateIndex(lite({ servers: whole }));
    expect((await run(url, "drop", "--after", `${FIRST}`)).code).toBe(0);
    const again = start(url, "run", ...lite({ servers: forgetful }));
    const missing = `the lite servers do not have the blocks and states of step ${FIRST + 1}; if they have deleted them, add others with --lite-archival`;
    await again.until(() => again.stderr.includes(missing));
    await again.end("SIGINT");
  });
});

test("backfill --back-to refuses a step whose states the servers no longer have, and an index with the zero state", async () => {
  const { lite, whole } = late;
  const message = `--back-to: expected a step from ${FIRST} on, made .+ got 3$`;
  const url = await late.lateIndex(lite({ servers: whole }));
  expect(await refusal(url, "backfill", ...lite(), "--back-to", "3")).toMatch(new RegExp(message));
  const extended = ["backfill", ...lite({ archival: true }), "--back-to", "1"];
  expect(await refusal(await late.wholeIndex(), ...extended)).toContain("this one has the zero state");
});

test("an index that begins late needs no sizes of queues that the servers refuse, and verify accepts it", async () => {
  await using resources = new AsyncDisposableStack();
  const url = await emptyIndex();
  const chain = openChain(late.folder);
  resources.defer(() => chain.close());
  const behaviours = [refuse(-400, "no out_msg_queue_size in shard state", { name: "getBlockOutMsgQueueSize" })];
  const old = await startFaultyLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(9), behaviours });
  resources.defer(() => old.close());
  const indexer = start(url, "run", ...late.lite({ servers: old }), "--start", "7");
  await indexer.reached(SMALL.steps);
  expect((await indexer.end("SIGINT")).code).toBe(0);
  const databases = new Databases({ primary: { url }, replicas: [] });
  resources.defer(() => databases.close());
  const { shards } = await databases.primary.reader.head();
  expect(shards.map(({ queueSize }) => queueSize)).toEqual([undefined, undefined, undefined]);
  expect((await run(url, "verify")).code).toBe(0);
});

test("an extension over splits and merges continues after kills, and gives the rows of the whole chain", async () => {
  const served = await serveChain(UNEVEN);
  const whole = await emptyIndex();
  await indexWhole(whole, served.directory);
  const file = join(temporaryFolder(), "global.config.json");
  writeFileSync(file, formatGlobalConfig(served.server.config()));
  const lite = ["--from-lite-servers", file, "--lite-rate", "100000"];
  const { splits, merges } = await eventsOf(served.directory);
  const [split = 0, merge = 0] = [splits, merges].map((steps) => steps[Math.floor(steps.length / 2)]);
  const url = await emptyIndex();
  const indexer = start(url, "run", ...lite, "--start", `${UNEVEN.steps}`);
  await indexer.reached(UNEVEN.steps);
  expect((await indexer.end("SIGINT")).code).toBe(0);
  // The next process begins with the step of a split, or of a merge.
  for (const point of [split - 1, merge - 1, 0].toSorted((one, other) => other - one)) {
    await using held = await hold(url, "history", point);
    const extension = startProcess(url, "backfill", ...lite, "--back-to", "1", "--batch", "1");
    await extension.until(held.isReached);
    await extension.end("SIGKILL");
    await held.release();
    expect((await readIndexStatus({ url })).firstSeqno).toBe(point + 1);
    expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: point + 1, steps: UNEVEN.steps - point });
    // The lease of the killed process would expire after 20 seconds.
    await inDatabase(url, (sql) => sql`DELETE FROM indexer_lease`);
  }
  const { code, stderr } = await run(url, "backfill", ...lite, "--back-to", "1", "--batch", "3");
  expect([code, stderr]).toEqual([0, expect.stringContaining("the index has the whole chain")]);
  expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: 0, steps: UNEVEN.steps });
  expect(await rowsDigestOf(url)).toBe(await rowsDigestOf(whole));
  await served.close();
});
