import { type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";
import { readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { sharedPostgres } from "@chain-query/testing/services";
import { expect, test } from "vitest";
import { indexWhole } from "../fuzz/chains.ts";
import { alone, heldIndex, hold } from "../fuzz/holds.ts";
import { killIndexers } from "../fuzz/kills.ts";
import { stopLeaders } from "../fuzz/stops.ts";
import { inDatabase } from "../fuzz/tables.ts";
import { DAYS, partitionedIndex } from "./chains.ts";
import { run, startProcess } from "./processes.ts";

/** Tests with as many kills and stops. */
export function killsAndStops(
  options: MadeChainOptions,
  { kills, stops, seed }: Record<"kills" | "stops" | "seed", number>,
): void {
  const plan = async () => {
    const [server, chain] = await Promise.all([sharedPostgres(), madeChain(options)]);
    const createIndex = () => server.createDatabase(heldIndex);
    const whole = await createIndex();
    await indexWhole(whole, chain);
    return { chain, steps: options.steps, whole, createIndex, seed };
  };

  test("kill -9 leaves whole steps, and the next indexer goes on", async () => {
    expect((await killIndexers({ ...(await plan()), kills })).finished).toBeGreaterThan(0);
  });

  test("a standby takes over from a stopped indexer, which does not write when it continues", async () => {
    expect((await stopLeaders({ ...(await plan()), stops })).takeovers).toHaveLength(stops);
  });
}

/** A drop that is killed when it has dropped the steps below each of these. */
export function killedDrops(firstSteps: readonly number[]): void {
  test("a drop leaves a whole index when it is killed, at any partition", async () => {
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
      // The killed one would keep the lease for 20 seconds.
      await inDatabase(url, (sql) => sql`DELETE FROM indexer_lease`);
    }
    expect((await run(url, "drop", "--before-step", "22")).code).toBe(0);
    expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: 20 });
  });
}
