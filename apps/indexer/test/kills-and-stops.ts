import { type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";
import { readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { DAYS } from "@chain-query/testing/chains";
import { inDatabase, sharedPostgres } from "@chain-query/testing/services";
import { expect, test } from "vitest";
import { killIndexers, stopLeaders } from "../fuzz/faults.ts";
import { alone, heldIndex, hold } from "../fuzz/holds.ts";
import { indexWhole } from "../fuzz/indexes.ts";
import { partitionedIndex } from "./chains.ts";
import { run, startProcess } from "./processes.ts";

/** Defines the tests of kills and stops. */
export function killsAndStops(
  options: MadeChainOptions,
  { lease, kills, stops, seed }: { readonly lease: string } & Record<"kills" | "stops" | "seed", number>,
): void {
  const plan = async () => {
    const [server, chain] = await Promise.all([sharedPostgres(), madeChain(options)]);
    const createIndex = () => server.createDatabase(heldIndex);
    const whole = await createIndex();
    await indexWhole(whole, chain);
    return { chain, steps: options.steps, whole, createIndex, seed };
  };

  test("a killed indexer leaves complete steps, and the next one continues", async () => {
    expect((await killIndexers({ ...(await plan()), kills })).finished).toBeGreaterThan(0);
  });

  test("a standby takes over from a stopped indexer, which then does not write", async () => {
    expect((await stopLeaders({ ...(await plan()), lease, stops })).takeovers).toHaveLength(stops);
  });
}

/** Defines the test of drops that are killed before each of these first steps is committed. */
export function killedDrops(firstSteps: readonly number[]): void {
  test("a drop that is killed at any partition leaves a complete index", async () => {
    const url = await partitionedIndex();
    for (const next of firstSteps) {
      const held = await hold(url, "history", next);
      const dropping = startProcess(url, "drop", "--before-step", "22");
      await dropping.until(held.isReached);
      await dropping.end("SIGKILL");
      await held.release();
      await alone(url);
      const { firstSeqno, partitions } = await readIndexStatus({ url });
      expect([firstSeqno, partitions[0]?.from]).toEqual([next - 5, next - 5]);
      expect(await verifyIndex({ url })).toMatchObject({ firstSeqno, steps: DAYS.steps });
      // The lease of the killed process would expire after 20 seconds.
      await inDatabase(url, (sql) => sql`DELETE FROM indexer_lease`);
    }
    expect((await run(url, "drop", "--before-step", "22")).code).toBe(0);
    expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: 20 });
  });
}
