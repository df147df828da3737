import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chainSteps, openProducer } from "@chain-query/local-chain";
import { copyMadeChain, createSyntheticChain, madeChain } from "@chain-query/local-chain/testing";
import { migrate, openPostgresWriter, partitionSteps } from "@chain-query/postgres-store";
import { DAYS, SMALL } from "@chain-query/testing/chains";
import { type DatabaseTemplate, sharedPostgres } from "@chain-query/testing/services";
import { onTestFinished } from "vitest";
import { heldIndex } from "../fuzz/holds.ts";
import { indexWhole } from "../fuzz/indexes.ts";

/** An index of `DAYS` in which `hold` works. */
export async function wholeIndex(): Promise<string> {
  const fill = async (url: string) => {
    await heldIndex.fill(url);
    await indexWhole(url, await madeChain(DAYS));
  };
  return (await sharedPostgres()).createDatabase({ name: "index_of_days", fill });
}

/** An index of `DAYS` with partitions of five steps. */
export async function partitionedIndex(): Promise<string> {
  const fill = async (url: string) => {
    await heldIndex.fill(url);
    const source = chainSteps(await madeChain(DAYS));
    const writer = await openPostgresWriter({ url });
    await writer.begin(await source.genesis());
    await partitionSteps({ url }, { every: 5, last: DAYS.steps });
    for await (const step of source.steps({ from: 1, to: DAYS.steps }, new AbortController().signal))
      await writer.write([step]);
    await writer.close();
    await source.close();
  };
  return (await sharedPostgres()).createDatabase({ name: "index_of_days_in_fives", fill });
}

/** A template of an index without a chain. */
export const emptyIndexTemplate: DatabaseTemplate = {
  name: "index_without_chain",
  fill: async (url) => void (await migrate({ url })),
};

/** A folder that is removed after the current test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-indexer-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Copies `SMALL` into a folder, and makes further steps. Chains of different rates are forks of each other. */
export async function grownChain(folder: string, steps: number, rate: number): Promise<string> {
  const chain = join(folder, `${steps} steps of rate ${rate}`);
  await copyMadeChain(chain, SMALL);
  const producer = await openProducer(chain);
  for (let step = 0; step < steps; step++) await producer.step({ rate });
  await producer.close();
  return chain;
}

/** A folder with a chain whose steps have ten transactions each, and placeholders for hashes of states. */
export async function syntheticChain(steps: number): Promise<string> {
  const folder = join(temporaryFolder(), "chain");
  await createSyntheticChain(folder, { accounts: 20, transactionsPerStep: 10 }, steps * 10);
  return folder;
}
