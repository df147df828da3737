import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSyntheticChain } from "@chain-query/local-chain/testing";
import { migrate } from "@chain-query/postgres-store";
import type { DatabaseTemplate } from "@chain-query/testing/services";
import { onTestFinished } from "vitest";

/** A chain of executed contracts. */
export const SMALL = { seed: 5, accounts: 20, shards: 2, rate: 5, steps: 12 } as const;

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

/** A folder with a chain whose steps have ten transactions each, and placeholders for hashes of states. */
export async function syntheticChain(steps: number): Promise<string> {
  const folder = join(temporaryFolder(), "chain");
  await createSyntheticChain(folder, { accounts: 20, transactionsPerStep: 10 }, steps * 10);
  return folder;
}
