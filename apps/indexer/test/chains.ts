import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createChain } from "@chain-query/local-chain";
import { createSyntheticChain } from "@chain-query/local-chain/testing";
import { onTestFinished } from "vitest";

/** A folder that is removed after the current test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-indexer-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with a chain whose steps have ten transactions each. */
export async function syntheticChain(steps: number): Promise<string> {
  const folder = join(temporaryFolder(), "chain");
  await createSyntheticChain(folder, { accounts: 20, transactionsPerStep: 10 }, steps * 10);
  return folder;
}

/** A folder with a small chain that has no step yet. */
export async function newChain(): Promise<string> {
  const folder = join(temporaryFolder(), "chain");
  await createChain(folder, { seed: 5, accounts: 5, shards: 1, rate: 3 });
  return folder;
}
