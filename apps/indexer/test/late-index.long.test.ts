/** Indexes that begin late on networks whose shards split and merge, from lite servers, and their extension to the zero state. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatGlobalConfig, liteChain } from "@chain-query/lite/answers";
import { refuse, startFaultyLiteServer } from "@chain-query/lite/faults";
import { openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { Databases, readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { RESHARDED, SMALL, UNEVEN } from "@chain-query/testing/chains";
import { inDatabase, sharedPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { heldIndex, hold } from "../fuzz/holds.ts";
import { indexWhole, rowsDigestOf } from "../fuzz/indexes.ts";
import { eventsOf, temporaryFolder } from "./chains.ts";
import { testLateIndex } from "./late-index.ts";
import { run, start, startProcess } from "./processes.ts";
import { type ServedChain, serveChain } from "./sources/served-chain.ts";

testLateIndex("long");

test("an index that begins late needs no sizes of queues that the servers refuse, and verify accepts it", async () => {
  const url = await (await sharedPostgres()).createDatabase(heldIndex);
  const chain = openChain(await madeChain(SMALL));
  const behaviours = [refuse(-400, "no out_msg_queue_size in shard state", { name: "getBlockOutMsgQueueSize" })];
  const old = await startFaultyLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(9), behaviours });
  const config = join(temporaryFolder(), "global.config.json");
  writeFileSync(config, formatGlobalConfig(old.config()));
  const indexer = start(url, "run", "--from-lite-servers", config, "--lite-rate", "1000", "--start", "7");
  await indexer.reached(12);
  expect((await indexer.end("SIGINT")).code).toBe(0);
  const databases = new Databases({ primary: { url }, replicas: [] });
  const { shards } = await databases.primary.reader.head();
  expect(shards.map(({ queueSize }) => queueSize)).toEqual([undefined, undefined, undefined]);
  await databases.close();
  expect((await run(url, "verify")).code).toBe(0);
  await old.close();
  await chain.close();
});

describe.each([
  ["one block of a shard in a step", RESHARDED],
  ["none to three blocks of a shard in a step", UNEVEN],
])("an index that begins late, with %s", (_name, options) => {
  let served: ServedChain;
  let expected: string;
  /** A split and a merge: the first steps of the new shards. */
  let events: readonly number[];

  beforeAll(async () => {
    served = await serveChain(options);
    const whole = await emptyIndex();
    await indexWhole(whole, served.directory);
    expected = await rowsDigestOf(whole);
    const { splits, merges } = await eventsOf(served.directory);
    events = [splits, merges].map((steps) => steps[Math.floor(steps.length / 2)] ?? expect.unreachable());
  });
  afterAll(() => served.close());

  const emptyIndex = async (): Promise<string> => (await sharedPostgres()).createDatabase(heldIndex);
  const around = (): readonly number[] => events.flatMap((step) => [step - 1, step, step + 1]);

  function lite(): string[] {
    const file = join(temporaryFolder(), "global.config.json");
    writeFileSync(file, formatGlobalConfig(served.server.config()));
    return ["--from-lite-servers", file, "--lite-rate", "100000"];
  }

  async function lateIndex(first: number): Promise<string> {
    const url = await emptyIndex();
    const indexer = start(url, "run", ...lite(), "--start", `${first}`);
    await indexer.reached(options.steps);
    expect((await indexer.end("SIGINT")).code).toBe(0);
    expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: first, steps: options.steps - first + 1 });
    return url;
  }

  async function extend(url: string): Promise<void> {
    const { code, stderr } = await run(url, "backfill", ...lite(), "--back-to", "1", "--batch", "3");
    expect([code, stderr]).toEqual([0, expect.stringContaining("the index has the whole chain")]);
    expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: 0, steps: options.steps });
    expect(await rowsDigestOf(url)).toBe(expected);
  }

  test("has the rows of the whole chain after its extension, from any first step", async () => {
    for (const first of new Set([2, ...events, options.steps])) await extend(await lateIndex(first));
  });

  test("continues its extension after kills on both sides of a split and a merge", async () => {
    const url = await lateIndex(options.steps);
    for (const point of [...new Set(around())].toSorted((one, other) => other - one)) {
      await using held = await hold(url, "history", point);
      const extension = startProcess(url, "backfill", ...lite(), "--back-to", "1", "--batch", "1");
      await extension.until(held.isReached);
      await extension.end("SIGKILL");
      await held.release();
      expect((await readIndexStatus({ url })).firstSeqno).toBe(point + 1);
      expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: point + 1, steps: options.steps - point });
      // The lease of the killed process would expire after 20 seconds.
      await inDatabase(url, (sql) => sql`DELETE FROM indexer_lease`);
    }
    await extend(url);
  });
});
