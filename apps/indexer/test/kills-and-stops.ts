import { madeChain } from "@chain-query/local-chain/testing";
import { sharedPostgres } from "@chain-query/testing/services";
import { expect, test } from "vitest";
import { FROZEN, indexWhole } from "../fuzz/chains.ts";
import { heldIndex } from "../fuzz/holds.ts";
import { killIndexers } from "../fuzz/kills.ts";
import { stopLeaders } from "../fuzz/stops.ts";

/** Tests with as many kills and stops. */
export function killsAndStops({ kills, stops, seed }: { kills: number; stops: number; seed: number }): void {
  const plan = async () => {
    const [server, chain] = await Promise.all([sharedPostgres(), madeChain(FROZEN)]);
    const createIndex = () => server.createDatabase(heldIndex);
    const whole = await createIndex();
    await indexWhole(whole, chain);
    return { chain, steps: FROZEN.steps, whole, createIndex, seed };
  };

  test("kill -9 leaves whole steps, and the next indexer goes on", async () => {
    expect((await killIndexers({ ...(await plan()), kills })).finished).toBeGreaterThan(0);
  });

  test("a standby takes over from a stopped indexer, which does not write when it continues", async () => {
    expect((await stopLeaders({ ...(await plan()), stops })).takeovers).toHaveLength(stops);
  });
}
