/** Fills a store with the records of a made-up chain, without executing anything, for the benches that need many. */
import { createStore } from "../src/store/create-store.ts";
import { openStore } from "../src/store/open-store.ts";
import { type MadeUpOptions, madeUpGenesis, madeUpSteps } from "./made-up-chain.ts";

export async function bulkLoad(directory: string, options: MadeUpOptions, transactions: number): Promise<void> {
  await createStore(directory, madeUpGenesis(options));
  const writer = openStore(directory);
  const steps = madeUpSteps(options);
  for (let written = 0; written < transactions; written += options.transactionsPerStep) {
    await writer.commit(steps.next().value);
  }
  await writer.close();
}
