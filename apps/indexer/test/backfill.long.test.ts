/** Ranges of steps that other processes write. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatGlobalConfig } from "@chain-query/lite-server";
import { refuse, startFaultyLiteServer } from "@chain-query/lite-server/testing";
import { chainSteps, liteChain, openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { Databases, openPostgresBackfill } from "@chain-query/postgres-store";
import { SMALL } from "@chain-query/testing/chains";
import { sharedPostgres } from "@chain-query/testing/services";
import { describe, expect, test } from "vitest";
import { digestOf, headOf, indexWhole } from "../fuzz/indexes.ts";
import { type IndexerEvent, runBackfill } from "../src/run-indexer.ts";
import { emptyIndexTemplate, syntheticChain, temporaryFolder } from "./chains.ts";
import { run, start } from "./processes.ts";

const emptyIndex = async (): Promise<string> => (await sharedPostgres()).createDatabase(emptyIndexTemplate);

/** Steps that an indexer wrote itself. */
function writtenSteps(events: readonly IndexerEvent[]): number {
  return events.reduce((sum, event) => sum + (event.type === "wrote" ? event.steps : 0), 0);
}

describe("backfill", () => {
  test("writes a range, which the indexer joins later", async () => {
    const [url, chain] = [await emptyIndex(), await syntheticChain(60)];
    const whole = await emptyIndex();
    await indexWhole(whole, chain);
    const range = (from: number, to: number) =>
      run(url, "backfill", "--from-chain", chain, "--from", `${from}`, "--to", `${to}`);
    const ended = await Promise.all([range(21, 30), range(31, 50)]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(ended[1].stderr).toContain("ended after step 50");
    expect(await headOf(url)).toBe(0);
    // The indexer does not write the ranges again.
    expect(writtenSteps(await indexWhole(url, chain))).toBe(30);
    expect(await digestOf(url)).toBe(await digestOf(whole));
  });

  test("needs no sizes of queues that the servers refuse, and verify accepts it", async () => {
    const [url, folder] = [await emptyIndex(), await madeChain(SMALL)];
    const chain = openChain(folder);
    const behaviours = [refuse(-400, "no out_msg_queue_size in shard state", { name: "getBlockOutMsgQueueSize" })];
    const old = await startFaultyLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(9), behaviours });
    const config = join(temporaryFolder(), "global.config.json");
    writeFileSync(config, formatGlobalConfig(old.config()));
    const lite = ["--from-lite-servers", config, "--lite-rate", "1000"];
    expect((await run(url, "backfill", ...lite, "--from", "7", "--to", "12")).code).toBe(0);
    const indexer = start(url, "run", ...lite);
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

  test("ends when the indexer has reached its range, and no step is written twice", async () => {
    const [url, chain] = [await emptyIndex(), await syntheticChain(60)];
    const source = chainSteps(chain);
    const backfill = await openPostgresBackfill({ url }, { from: 1, to: 20 });
    await backfill.begin(await source.genesis());
    for await (const step of source.steps({ from: 1, to: 7 }, new AbortController().signal)) await backfill.write([step]);
    expect(writtenSteps(await indexWhole(url, chain))).toBe(53);
    const events: IndexerEvent[] = [];
    const options = { source, openBackfill: async () => backfill, onEvent: (event: IndexerEvent) => void events.push(event) };
    await runBackfill(options, new AbortController().signal);
    expect(events).toEqual([
      { type: "began", head: 7 },
      { type: "joined", head: 7 },
    ]);
    await source.close();
    const whole = await emptyIndex();
    await indexWhole(whole, chain);
    expect(await digestOf(url)).toBe(await digestOf(whole));
  });

  test("refuses a range that overlaps another one, and steps that the chain does not have", async () => {
    const [url, chain] = [await emptyIndex(), await syntheticChain(10)];
    const range = (from: string, to: string) => run(url, "backfill", "--from-chain", chain, "--from", from, "--to", to);
    expect((await range("3", "5")).code).toBe(0);
    const overlap = await range("4", "8");
    expect(overlap.stderr).toMatch(
      /chain-query-indexer: the range 4 to 8 must not overlap the range 3 to 5 of an earlier backfill\n$/,
    );
    const beyond = await range("9", "11");
    expect(beyond.stderr).toContain("--to: expected a step that the chain has, at most 10, got 11\n");
    expect([overlap.code, beyond.code]).toEqual([2, 2]);
  });
});
