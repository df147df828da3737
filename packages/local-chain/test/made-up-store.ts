import { type MadeUpOptions, madeUpGenesis, madeUpSteps } from "../bench/made-up-chain.ts";
import type { ChainCommit } from "../src/store/commit.ts";
import { createStore } from "../src/store/create-store.ts";
import { openStore } from "../src/store/open-store.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A folder with the store of a made-up chain, and the steps that are in it. */
export interface MadeUpStore {
  readonly directory: string;
  readonly steps: readonly ChainCommit[];
}

export const SMALL: MadeUpOptions = { accounts: 20, transactionsPerStep: 15 };

export function firstSteps(count: number, options: MadeUpOptions = SMALL): ChainCommit[] {
  const steps = madeUpSteps(options);
  return Array.from({ length: count }, () => steps.next().value);
}

export async function madeUpStore(count: number, options: MadeUpOptions = SMALL): Promise<MadeUpStore> {
  const directory = temporaryFolder();
  const steps = firstSteps(count, options);
  await createStore(directory, madeUpGenesis(options));
  const writer = openStore(directory);
  for (const step of steps) await writer.commit(step);
  await writer.close();
  return { directory, steps };
}
