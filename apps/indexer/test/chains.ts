import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSyntheticChain } from "@chain-query/local-chain/testing";
import { onTestFinished } from "vitest";
import { produceChain } from "../fuzz/chains.ts";

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

/** A folder with a small chain of executed contracts. */
export async function producedChain(steps: number): Promise<string> {
  const folder = join(temporaryFolder(), "chain");
  await produceChain(folder, steps);
  return folder;
}
