import { type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";
import { readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { RESHARDED } from "@chain-query/testing/chains";
import { inDatabase, sharedPostgres } from "@chain-query/testing/services";
import { expect, test } from "vitest";
import { killBefore, killIndexers, stopLeaders } from "../fuzz/faults.ts";
import { alone, heldIndex, hold } from "../fuzz/holds.ts";
import { indexWhole } from "../fuzz/indexes.ts";
import { eventsOf, partitionedIndex } from "./chains.ts";
import { run, startProcess } from "./processes.ts";

/** Defines the tests of kills and stops. */
export function killsAndStops(
  options: MadeChainOptions,
  { lease, kills, stops, seed }: { readonly lease: string } & Record<"kills" | "stops" | "seed", number>,
): void {
  test.concurrent("a killed indexer leaves complete steps, and the next one continues", async () => {
    expect((await killIndexers({ ...(await faultPlan(options)), seed, kills })).finished).toBeGreaterThan(0);
  });

  test.concurrent("a standby takes over from a stopped indexer, which then does not write", async () => {
    const plan = { ...(await faultPlan(options)), lease, stops: 1 };
    // At the same time: most of the time, a standby waits for the end of the lease.
    const reports = await Promise.all(
      Array.from({ length: stops }, (_, index) => stopLeaders({ ...plan, seed: seed + index })),
    );
    expect(reports.flatMap(({ takeovers }) => takeovers)).toHaveLength(stops);
  });
}

async function faultPlan(options: MadeChainOptions) {
  const [server, chain] = await Promise.all([sharedPostgres(), madeChain(options)]);
  const createIndex = () => server.createDatabase(heldIndex);
  const whole = await createIndex();
  await indexWhole(whole, chain);
  return { chain, steps: options.steps, whole, createIndex };
}

/** Defines the test of processes that are killed before and after the first steps of shards that split or merged. */
export function killsBesideEvents(): void {
  test("a killed indexer begins again on both sides of splits and merges", async () => {
    const plan = await faultPlan(RESHARDED);
    const { splits, merges } = await eventsOf(plan.chain);
    const sides = [...splits, ...merges].flatMap((step) => [step, step + 1]).filter((step) => step <= plan.steps);
    const all = [...new Set(sides)].toSorted((one, other) => one - other);
    expect(all.length).toBeGreaterThan(20);
    await killBefore(plan, all);
  });
}

/** An index whose partitions begin at multiples of some steps, and the first steps of partitions before which drops are killed. */
interface DropPlan {
  readonly chain: MadeChainOptions;
  readonly every: number;
  readonly firstSteps: readonly number[];
}

/** Defines the test of drops that are killed before each of these first steps is committed. */
export function killedDrops({ chain, every, firstSteps }: DropPlan): void {
  test(`a drop that is killed at any partition of ${every} steps leaves a complete index`, async () => {
    const url = await partitionedIndex(chain, every);
    for (const next of firstSteps) {
      const held = await hold(url, "history", next);
      const dropping = startProcess(url, "drop", "--before", "22");
      await dropping.until(held.isReached);
      await dropping.end("SIGKILL");
      await held.release();
      await alone(url);
      const { firstSeqno, partitions } = await readIndexStatus({ url });
      expect([firstSeqno, partitions[0]?.from]).toEqual([next - every, next - every]);
      expect(await verifyIndex({ url })).toMatchObject({ firstSeqno, steps: chain.steps });
      // The lease of the killed process would expire after 20 seconds.
      await inDatabase(url, (sql) => sql`DELETE FROM indexer_lease`);
    }
    expect((await run(url, "drop", "--before", "22")).code).toBe(0);
    expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: 22 - (22 % every) });
  });
}
